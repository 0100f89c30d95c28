// A program of its own that notes with what tests call functions of JavaScript, and that calls these with it.
//
// It is put into a copy, with a call of `note` or `main` at its end: see near_program.py, which does the same for
// Python, and says what it prints. What it calls has been found to touch nothing but its arguments.

const fs = require("fs"), path = require("path"), util = require("util"), v8 = require("v8"), vm = require("vm");
const { spawnSync } = require("child_process"), { pathToFileURL } = require("url");

const MARKER = "what the inputs came to: ", MILLISECONDS = 500, MOST_NEAR = 12, LONGEST = 300, MOST = 100;
const LETTERS = "abcdefghijklmnopqrstuvwxyz", A_DAY = 86400000;
const timer = setTimeout;

/** Rewrites modules so that calls of what they export are noted in the file `place`. */
async function note(files, place) {
  for (const file of files) {
    try {
      const exported = await loaded(file);
      const text = fs.readFileSync(file, "utf8"), given = JSON.stringify([path.resolve(place), file]);
      if (!util.types.isModuleNamespaceObject(exported)) {
        // Names of exports are read from the text: what it says of them itself has to be the last.
        const last = `module["exports"] = (${noting})(require("fs"), require("v8"), ...${given})`;
        fs.writeFileSync(file, `${text}\n/* eslint-disable */\n;(function (module) { ${last}(module["exports"], []); })(module);\n`);
        continue;
      }
      const { dir, name, ext } = path.parse(file), kept = `${name}.teamlead-near${ext}`;
      fs.writeFileSync(path.join(dir, kept), text);
      const names = Object.keys(exported).filter((each) => each !== "__esModule");
      fs.writeFileSync(file, around(`./${kept}`, names, given));
    } catch {
      // Then nothing is known of it.
    }
  }
}

function around(kept, names, given) {
  const lines = [
    "/* eslint-disable */",
    'import teamleadFs from "node:fs";', 'import teamleadV8 from "node:v8";',
    `import * as teamleadAll from "${kept}";`, `export * from "${kept}";`,
    `const teamleadNoted = (${noting})(teamleadFs, teamleadV8, ...${given});`,
  ];
  for (const [number, name] of names.entries()) {
    const word = JSON.stringify(name);
    lines.push(`const teamlead${number} = teamleadNoted(teamleadAll[${word}], [${word}]);`);
    lines.push(`export { teamlead${number} as ${word} };`);
  }
  return lines.join("\n") + "\n";
}

/** Its text is put into other modules: it uses nothing but what it is given. */
function noting(fs, v8, place, file) {
  const MOST_CALLS = 400, proxies = new WeakMap();

  function isPlain(value, depth) {
    if (typeof value === "string") return value.length <= 200;
    if (typeof value !== "object" || value === null) return !["function", "symbol"].includes(typeof value);
    if (value instanceof Date) return true;
    const listed = Array.isArray(value) || value instanceof Set;
    if (!listed && ![null, Object.prototype].includes(Object.getPrototypeOf(value))) return false;
    const inside = listed ? [...value] : Object.values(value);
    return depth < 3 && inside.length < 20 && inside.every((each) => isPlain(each, depth + 1));
  }

  function noteCall(seen, name, at, given) {
    try {
      if (seen.size >= MOST_CALLS || !given.length || !given.every((each) => isPlain(each, 0))) return;
      const text = v8.serialize(given).toString("base64");
      if (seen.has(text)) return;
      seen.add(text);
      fs.appendFileSync(place, JSON.stringify([file, name, at, text]) + "\n");
    } catch {
      // What is tested must not come to know of it.
    }
  }

  function proxied(called, at) {
    if (/^class\b/.test(Function.prototype.toString.call(called))) return called;
    const seen = new Set(), stem = file.replace(/^.*\/|\.\w+$/g, "");
    const name = called.name && called.name !== "default" ? called.name : at[at.length - 1] || stem;
    const apply = (target, self, given) => {
      noteCall(seen, name, at, given);
      return Reflect.apply(target, self, given);
    };
    return new Proxy(called, { apply });
  }

  return function noted(value, at) {
    const holds = typeof value === "function" || (typeof value === "object" && value !== null);
    if (!holds || proxies.has(value)) return holds ? proxies.get(value) : value;
    const found = typeof value === "function" ? proxied(value, at) : value;
    proxies.set(value, found);
    proxies.set(found, found);
    for (const key of at.length < 2 ? Object.getOwnPropertyNames(value) : []) {
      const each = Object.getOwnPropertyDescriptor(value, key);
      if (!each.writable || key === "prototype") continue;
      const inside = noted(each.value, [...at, key]);
      if (inside !== each.value) value[key] = inside;
    }
    return found;
  };
}

function main(calls, withNear) {
  if (process.argv[2] === "call") return answer();
  const asked = [];
  for (const [file, name, at, given] of calls) {
    const values = decoded(given);
    for (const each of [values, ...(withNear ? near(values) : [])]) asked.push([file, name, at, encoded(each)]);
  }
  const forward = inProcessOfItsOwn(asked), backward = inProcessOfItsOwn([...asked].reverse()).reverse();
  const told = asked.map(([file, name, at, given]) => [file, at.join("."), written(name, decoded(given))]);
  console.log("\n" + MARKER + JSON.stringify([told, forward, backward]));
}

const encoded = (values) => v8.serialize(values).toString("base64");
const decoded = (text) => v8.deserialize(Buffer.from(text, "base64"));
const ON_A_LINE = { depth: 6, compact: true, breakLength: Infinity, customInspect: false };
const shown = (value) => util.inspect(value, ON_A_LINE);
const written = (name, values) => `${name}(${values.map(shown).join(", ")})`;

/** Arguments of which one is a little different. */
function near(values) {
  const found = new Map();
  for (const [place, value] of values.entries()) {
    for (const other of nearValue(value)) {
      const changed = [...values.slice(0, place), other, ...values.slice(place + 1)];
      found.set(encoded(changed), changed);
    }
  }
  found.delete(encoded(values));
  // Of several arguments each has its turn.
  const step = Math.max(1, Math.floor(found.size / MOST_NEAR));
  return [...found.values()].filter((_, number) => number % step === 0).slice(0, MOST_NEAR);
}

function nearValue(value) {
  if (typeof value === "number" && Number.isFinite(value)) return nearNumber(value, Number, Math.floor(value / 2));
  if (typeof value === "bigint") return nearNumber(value, BigInt, value / 2n);
  if (typeof value === "string") return nearText(value);
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return nearItems(value);
  if (value instanceof Set) return nearItems([...value]).map((each) => new Set(each));
  if (value instanceof Date) return [1, -1, 2, 7, -30, 365].map((days) => new Date(+value + days * A_DAY));
  return nearObject(value);
}

function nearNumber(value, as, half) {
  // A rule may be about the last digits.
  const moved = [100, 1, -1, 2, -2].map((each) => value + as(each));
  return [...moved, value * as(2), half, value + as(10), value - as(10), value * as(3) + as(1), -value];
}

function nearItems(items) {
  const found = [items.slice(0, -1), [...items].reverse(), [...items, ...items.slice(0, 1)]];
  for (const [place, item] of items.slice(0, 3).entries()) {
    const others = nearValue(item).slice(0, 3);
    for (const other of others) found.push([...items.slice(0, place), other, ...items.slice(place + 1)]);
  }
  return found;
}

function nearObject(value) {
  const found = [];
  for (const [key, item] of Object.entries(value).slice(0, 3)) {
    const { [key]: _, ...rest } = value;
    found.push(rest, ...nearValue(item).slice(0, 4).map((other) => ({ ...value, [key]: other })));
  }
  return found;
}

function nearText(text) {
  const found = [], last = text.length - 1;
  for (const place of new Set([Math.floor(text.length / 2), last, 0, 1])) {
    if (place >= 0 && place <= last) found.push(text.slice(0, place) + next(text[place]) + text.slice(place + 1));
  }
  if (!text) return found;
  const swapped = Array.from(text, (each) => (each === each.toUpperCase() ? each.toLowerCase() : each.toUpperCase()));
  const reversed = Array.from(text).reverse();
  return [...found, text + next(text[last]), text.slice(0, -1), swapped.join(""), reversed.join(""), text + text[last]];
}

/** Another one of its kind. */
function next(letter) {
  if (/[0-9]/.test(letter)) return String((Number(letter) + 1) % 10);
  const at = LETTERS.indexOf(letter.toLowerCase());
  if (at < 0) return letter;
  const other = LETTERS[(at + 1) % LETTERS.length];
  return letter === letter.toUpperCase() ? other.toUpperCase() : other;
}

/** What one order leaves behind, the other does not find. Nothing makes code of texts there. */
function inProcessOfItsOwn(asked) {
  const options = { input: JSON.stringify(asked), stdio: ["pipe", "ignore", "ignore", "pipe"], maxBuffer: 1 << 26 };
  const words = ["--disallow-code-generation-from-strings", __filename, "call"];
  try {
    const found = JSON.parse(String(spawnSync(process.execPath, words, options).output[3]));
    return found.length === asked.length ? found : asked.map(() => null);
  } catch {
    return asked.map(() => null);
  }
}

async function answer() {
  // What a call leaves undone is no other call's.
  for (const each of ["uncaughtException", "unhandledRejection"]) process.on(each, () => {});
  const found = [], asked = JSON.parse(fs.readFileSync(0, "utf8"));
  for (const [file, , at, given] of asked) found.push(await outcome(file, at, decoded(given)));
  fs.writeFileSync(3, JSON.stringify(found));
  process.reallyExit(0);
}

/** What it gives, and whether that is a value. Null: nobody knows. */
async function outcome(file, at, given) {
  let self, called;
  try {
    called = await loaded(file);
    for (const name of at) [self, called] = [called, called[name]];
  } catch {
    return null;
  }
  if (typeof called !== "function") return null;
  try {
    const came = await inTime(inBoundedTime(() => whole(Reflect.apply(called, self, given))));
    const told = shown(came).slice(0, LONGEST);
    return typeof came === "function" ? null : [told, came !== undefined && came !== null && !Number.isNaN(came)];
  } catch (error) {
    if (error === late || (error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT")) return null;
    return [String((error && error.name) || error).slice(0, LONGEST), false];
  }
}

function whole(came) {
  const steps = came && typeof came === "object" && typeof came.next === "function" && came[Symbol.iterator];
  if (typeof steps !== "function") return came;
  const found = [];
  for (const each of came) if (found.push(each) === MOST) break;
  return found;
}

const script = new vm.Script("teamleadCall()"), late = new Error("late");

function inBoundedTime(call) {
  Object.defineProperty(globalThis, "teamleadCall", { value: call, configurable: true });
  return script.runInThisContext({ timeout: MILLISECONDS });
}

function inTime(came) {
  if (!came || typeof came.then !== "function") return came;
  return Promise.race([came, new Promise((_, no) => timer(() => no(late), MILLISECONDS))]);
}

async function loaded(file) {
  const place = path.resolve(file);
  try {
    return require(place);
  } catch (error) {
    if (error.code !== "ERR_REQUIRE_ESM" && error.code !== "ERR_REQUIRE_ASYNC_MODULE" && !(error instanceof SyntaxError)) throw error;
    return import(pathToFileURL(place).href);
  }
}
