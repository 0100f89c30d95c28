#!/bin/sh
# The agent of the sweep: small, because thousands are started. What it does depends on what it finds, so that
# the work ends the same however often it was cut short. $1 is a folder outside every copy, for its marks.
marks=$1
task=$TEAMLEAD_TASK
attempt=$TEAMLEAD_ATTEMPT

# Held by this process and all that it starts. A number of a process would mean nothing outside of its room.
exec 9>"$marks/$task.lock"
flock --nonblock 9 || echo "$task $attempt" >>"$marks/overlaps"
echo "$task $attempt $$" >>"$marks/runs"
: >"$marks/$task"

put() {
  # What an earlier run left here is not lost: this one has it in its hands.
  [ -f "$1" ] && read -r found <"$1" && echo "$found" >>"$marks/seen"
  echo "$2" >"$1"
  echo "$2" >>"$marks/written"
}

# Until the other one is at work too, so that the two conflict; not for ever, since it may have been killed.
meet() {
  waited=0
  while [ "$attempt" = 1 ] && [ ! -e "$marks/$1" ] && [ $waited -lt 500 ]; do
    sleep 0.01
    waited=$((waited + 1))
  done
}

add() {
  read -r line <shared.txt
  case $line in *"$2"*) put shared.txt "five six" ;; *) put shared.txt "$1" ;; esac
}

finish() {
  echo '{"type": "finished", "status": "ok", "summary": "'"${1:-done}"'"}'
  exit
}

# Its last words, in JSON whose quotes stand in a string of JSON themselves.
answer() {
  finish "$(echo "$1" | sed 's/"/\\"/g')"
}

echo '{"type": "tool_call", "name": "write", "input": {}}'
case $TEAMLEAD_SESSION in
  plan-*)
    [ "$task" = task-1 ] || answer '{"critical": [{"criterion": "all of it", "met": true}]}'
    while read -r line; do
      case $line in *blue*)
        answer '[{"id": "task-1", "description": "Paint it blue", "scopePaths": ["one.txt"], "acceptance": "one.txt says blue"}]'
        ;;
      esac
    done
    answer '{"questions": ["Which colour?"]}'
    ;;
esac
case $task-$attempt in
  *-judge-*)
    read -r _ _ asked
    case $asked in examples*)
      answer '{"examples": [{"sentence": "it is the ninth", "command": "cat nine.txt", "output": "the ninth"}]}'
      ;;
    esac
    line=
    [ -f nine.txt ] && read -r line <nine.txt
    [ "$line" = "too much" ] && answer '{"success": false, "reason": "too much", "shouldReplan": true}'
    answer '{"success": true, "reason": "it is the ninth", "fulfilled": [{"number": 1, "line": "nine.txt:1"}]}'
    ;;
  task-*-planner-*)
    answer '{"reason": "less", "tasks": [{"id": "task-1", "description": "The ninth, alone", "scopePaths": ["nine.txt"], "acceptance": "it is the ninth"}]}'
    ;;
  planner-*) answer '{"fulfilled": true, "reason": "all is there"}' ;;
  task-1-*) put one.txt "the first" ;;
  task-2-*)
    put two.txt "the second"
    git add two.txt
    git -c user.name=Agent -c user.email=agent@example.com commit --quiet -m "its own"
    ;;
  task-3-1) put three.txt "wrong" ;;
  task-3-*) put three.txt "right" ;;
  task-4-*) [ -f two.txt ] && [ -f three.txt ] && put four.txt "the fourth" ;;
  task-5-*) meet task-6 && add five six ;;
  task-6-*) meet task-5 && add six five ;;
  task-7-*)
    while read -r line; do
      [ "$line" = "Answer:" ] && read -r _ answered && put seven.txt "$answered" && finish
    done
    echo '{"type": "ask", "text": "Which colour?"}'
    ;;
  task-2[12]-*)
    while read -r line; do
      [ "$line" = "Answer:" ] && read -r _ answered && put "${task#task-}.txt" "$answered" && finish
    done
    echo '{"type": "finished", "status": "error", "error": "there is no such model"}'
    exit
    ;;
  task-31-*) git cat-file -e HEAD:31.txt 2>/dev/null && put 31.txt "the better one" || put 31.txt "the first one" ;;
  task-32-*) read -r line <31.txt && put 32.txt "on $line" ;;
  task-33-*) put 33.txt "on anything" ;;
  task-4[12]-*)
    put "${task#task-}.txt" "half of ${task#task-}"
    echo "$task" >>"$marks/at-work"
    while [ "$task" = task-41 ] || [ ! -e "$marks/go" ]; do sleep 0.02; done
    ;;
  task-18-*)
    sleep 0.1
    put "$TEAMLEAD_SESSION.txt" "of $TEAMLEAD_SESSION"
    ;;
  task-9-*) put nine.txt "too much" ;;
  task-8-*) put nine.txt "the ninth" ;;
esac
finish
