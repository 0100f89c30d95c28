"""What somebody knows who sees the disk and git, and believes no leader."""

from typing import TYPE_CHECKING

from tests.core.oracle import law as promise
from tests.simulation.examiner import EMBELLISHED

from teamlead.core import events as e

if TYPE_CHECKING:
    from tests.simulation.world import World


class Truth:
    def __init__(self, world: "World") -> None:
        self._world = world
        self.main = world.workspace.base
        """Where the user's branch should be."""
        self.users_own = {self.main}
        self.merges: dict[tuple[str, str], None] = {}
        """Each task and commit that went into the integration branch."""
        self.approvals_refused = 0
        self.approved = False
        """The approval is on disk."""
        self._starts: set[tuple[str, int]] = set()
        self._asked: set[str] = set()
        self._synced = 0

    def sync(self) -> None:
        """What is on disk for good from now on."""
        disk = self._world.disk
        seen, self._synced = self._synced, disk.synced
        for recorded in disk.events[seen:]:
            event = recorded.event
            if type(event) is e.AttemptStarted:
                self._starts.add((event.task, event.attempt))
                self._asked.add(f"{event.task}-{event.attempt}")
            elif type(event) is e.RunStarted:
                self._asked.add(event.run)
            elif type(event) is e.ApprovalRequested:
                self.approved = True
            elif type(event) is e.ApprovalRefused:
                self.approved = False
                self.approvals_refused += 1

    def decided(self, task: str, attempt: int, what: str) -> None:
        promise((task, attempt) in self._starts, f"{task} {what} before its attempt {attempt} is on disk")

    def asked(self, consultation: str) -> None:
        promise(consultation in self._asked, f"{consultation} is asked before that is on disk")

    def merged(self, task: str, commit: str) -> None:
        promise((task, commit) not in self.merges, f"the work of {task} is merged twice")
        self.merges[task, commit] = None
        world = self._world
        if "judge" in world.state.session.consultants and world.promises.spec(task).acceptance:
            accepted = world.consultants.content_with(task, commit)
            waived = task in world.promises.ledger.proofs.waived
            promise(accepted or waived, f"{task} is merged, and no judge was content with it")
        history = self._world.workspace.history
        made = history.commits[commit]
        base = made.parents[0]
        before = history.commits[base].files
        for path, content in made.files.items():
            if before.get(path) != content:
                self._may_merge(task, base, path, content)

    def _may_merge(self, task: str, base: str, path: str, content: bytes) -> None:
        promise(path.startswith("src/"), f"{task} is merged with a change out of its scope: {path}")
        promise(not path.endswith(".gitattributes"), f"{task} is merged and steers git")
        waived = self._world.promises.ledger.proofs.waived
        promise(
            not content.startswith(EMBELLISHED) or task in waived,
            f"{task} is merged, and nobody waived what was objected to",
        )
        own, common = self._world.promises.spec(task).checks, self._world.spec.checks
        # What failed before it is nobody's fault, unless the task itself was to make it pass.
        checked = own or (common and not self.broken(base))
        promise(
            not checked or not content.startswith(b"broken"), f"{task} is merged, and its checks did not pass"
        )

    def broken(self, commit: str) -> bool:
        """It holds work that no check lets pass, or what is good alone and bad together."""
        files = self._world.workspace.history.commits[commit].files
        if files.get("src/shared", b"").count(b"+") > 1:
            return True
        return any(content.startswith(b"broken") for content in files.values())

    def user_commits(self) -> None:
        """Sometimes where the agents work, too."""
        path = self._world.random.choice(("mine", "src/shared"))
        self.main = self._world.workspace.user_commits("main", {path: f"{len(self.users_own)}"})
        self.users_own.add(self.main)
