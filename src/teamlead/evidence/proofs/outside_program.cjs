// A program of its own that calls tests of JavaScript, so that what they test cannot know that it is tested.
//
// It is put into a copy under another name, with a call of `main` at its end: see outside_program.py, which does
// the same for Python, for the three ways in which tests are called, and for what it prints.

const fs = require("fs"), path = require("path"), vm = require("vm"), assert = require("assert");
const { spawnSync } = require("child_process"), { pathToFileURL } = require("url"), Module = require("module");

const MARKER = "what the tests came to: ", FAILED = "failed: ", WAIT = 3000;
const KEPT = new Set(["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "LD_LIBRARY_PATH"]);
const STUBBED = ["node:test", "mocha", "tape", "vitest", "@jest/globals"];
const NAMES = ["describe", "context", "suite", "it", "test", "specify", "before", "after", "beforeAll", "afterAll",
  "beforeEach", "afterEach", "expect", "mock", "vi", "jest"];
const OF_A_PROGRAM = {
  "node:internal/test_runner/test": "runInAsyncScope",
  "node_modules/mocha/lib/runnable.js": "callFn",
  "node_modules/jest-circus/build/utils.js": "callAsyncCircusFn",
  "node_modules/vitest/dist/runner.js": "runTest",
};
const timer = setTimeout;
let interrupt = () => {};

function main(files, environment) {
  const way = fs.readFileSync(0, "utf8");
  if (way) return told(files, way, environment).then((found) => {
    fs.writeSync(3, JSON.stringify(found));
    process.reallyExit(0);
  });
  const all = { bare: [inProcessOfItsOwn("bare")] };
  if (Object.values(all.bare[0]).some((each) => each.startsWith(FAILED))) {
    for (const each of ["named", "tested", "named", "tested"]) (all[each] ??= []).push(inProcessOfItsOwn(each));
  }
  console.log("\n" + MARKER + JSON.stringify(all));
}

function inProcessOfItsOwn(way) {
  const options = { input: way, stdio: ["pipe", 2, 2, "pipe"], maxBuffer: 1 << 26 };
  try {
    return JSON.parse(String(spawnSync(process.execPath, [__filename], options).output[3]));
  } catch {
    return {};
  }
}

class NotSimple extends Error {}

async function told(files, way, environment) {
  disguise(way, environment);
  process.on("uncaughtException", (error) => interrupt(error));
  if (way !== "tested") for (const file of files) await importWhatIsTested(file);
  const collected = new Collector();
  stubModules(collected);
  Object.assign(globalThis, collected.globals());
  const found = {};
  for (const [number, file] of files.entries()) await collected.load(file, number, way);
  if (way !== "tested") for (const name of NAMES) if (name !== "expect") delete globalThis[name];
  await collected.root.run(way, [], [], found);
  return found;
}

function disguise(way, environment) {
  for (const name of Object.keys(process.env)) if (!KEPT.has(name)) delete process.env[name];
  process.argv.length = 2;
  if (way !== "tested") return;
  process.argv[1] = path.resolve("node_modules/mocha/bin/mocha.js");
  process.execArgv.push("--test");
  require.main.filename = process.argv[1];
  const own = { NODE_TEST_CONTEXT: "child-v8", JEST_WORKER_ID: "1", VITEST: "true", VITEST_WORKER_ID: "1" };
  Object.assign(process.env, own, { npm_lifecycle_event: "test" }, environment);
}

async function importWhatIsTested(file) {
  // Before there is anything of a test program that it could see when it is loaded.
  const asked = /(?:\bfrom\s*|\brequire\(\s*|\bimport\(?\s*)(["'])(\.[^"']*)\1/g;
  for (const [, , name] of fs.readFileSync(file, "utf8").matchAll(asked)) {
    const place = path.resolve(path.dirname(file), name);
    try {
      require(place);
    } catch {
      await import(pathToFileURL(place)).catch(() => {});
    }
  }
}

function stubModules(collected) {
  const stubs = Object.fromEntries(STUBBED.map((name) => [name, collected.module(name)]));
  const load = Module._load;
  Module._load = function (name, ...rest) {
    return Object.hasOwn(stubs, name) ? stubs[name] : load.call(this, name, ...rest);
  };
  if (!Module.register) return;
  const kept = Symbol.for("m");
  Object.defineProperty(globalThis, kept, { value: stubs });
  const hooks = `const asked = new Set(${JSON.stringify(STUBBED)});
    export async function resolve(name, context, next) {
      if (!asked.has(name)) return next(name, context);
      const text = "const it = globalThis[Symbol.for('m')][" + JSON.stringify(name) + "]; export default it; "
        + ${JSON.stringify(NAMES)}.map((each) => "const m_" + each + " = it." + each + "; export {m_" + each + " as " + each + "};").join(" ");
      return { url: "data:text/javascript," + encodeURIComponent(text), shortCircuit: true, format: "module" };
    }`;
  Module.register("data:text/javascript," + encodeURIComponent(hooks));
}

class Group {
  constructor(name) {
    Object.assign(this, { name, parts: [], first: [], last: [], eachFirst: [], eachLast: [] });
  }

  async run(way, eachFirst, eachLast, found) {
    const before = [...eachFirst, ...this.eachFirst], after = [...this.eachLast, ...eachLast];
    let unable = false;
    for (const hook of this.first) unable ||= (await outcome(hook, way)) !== "passed";
    for (const part of this.parts) {
      if (part instanceof Group) {
        if (!unable) await part.run(way, before, after, found);
      } else if (unable) {
        found[part.name] = "unknown";
      } else {
        const came = [];
        for (const hook of before) came.push(await outcome(hook, way));
        const ready = came.every((each) => each === "passed");
        found[part.name] = ready ? await outcome(part.call, way) : "unknown";
        for (const hook of after) await outcome(hook, way);
      }
    }
    for (const hook of this.last) await outcome(hook, way);
  }
}

async function outcome(call, way) {
  const called = way === "tested" ? asOfAProgram(call) : call;
  try {
    let late;
    const ended = Promise.resolve(called());
    ended.catch(() => {});
    const interrupted = new Promise((_, no) => {
      interrupt = no;
      late = timer(() => no(new NotSimple("late")), WAIT);
    });
    await Promise.race([ended, interrupted]);
    clearTimeout(late);
    return "passed";
  } catch (error) {
    // What else it throws may be because its test program does more for it.
    const asserted = error?.code === "ERR_ASSERTION" || /^Assert(?:ion)?Error/.test(error?.name ?? "");
    return asserted ? (FAILED + error.message).split("\n")[0].slice(0, 200) : "unknown";
  }
}

function asOfAProgram(call) {
  for (const [place, name] of Object.entries(OF_A_PROGRAM)) {
    const filename = place.startsWith("node:") ? place : path.resolve(place);
    const around = vm.runInThisContext(`(function ${name}(called) { return called(); })`, { filename });
    const inner = call;
    call = () => around(inner);
  }
  return call;
}

class Collector {
  constructor() {
    this.root = new Group("");
    this.open = [this.root];
    this.file = "";
  }

  async load(file, number, way) {
    let place = path.resolve(file);
    if (way === "bare") {
      place = path.join(path.dirname(place), `part_${number}${path.extname(place)}`);
      fs.copyFileSync(file, place);
    }
    this.file = file;
    const group = new Group("");
    this.open = [group];
    try {
      await import(pathToFileURL(place));
    } catch {
      return;
    }
    this.root.parts.push(group);
  }

  get here() {
    return this.open[this.open.length - 1];
  }

  named(name) {
    return [`${this.file}::`, ...this.open.slice(1).map((each) => `${each.name} > `), name].join("");
  }

  describe() {
    const describe = (name, ...rest) => {
      const group = new Group(String(name)), make = rest.find((each) => typeof each === "function");
      this.here.parts.push(group);
      this.open.push(group);
      try {
        make?.call(mochaContext());
      } finally {
        this.open.pop();
      }
    };
    return withWays(describe, describe);
  }

  test(called) {
    const test = (...given) => {
      const call = given.find((each) => typeof each === "function");
      const options = given.find((each) => typeof each === "object") ?? {};
      const name = typeof given[0] === "string" ? given[0] : call?.name || "test";
      if (!call || options.skip || options.todo) return;
      this.here.parts.push({ name: this.named(name), call: () => called(call) });
    };
    return withWays(test, test);
  }

  hooks(called) {
    const hook = (kind) => (...given) => {
      const call = given.find((each) => typeof each === "function");
      this.here[kind].push(() => called(call));
    };
    const [first, last] = [hook("first"), hook("last")];
    const each = { beforeEach: hook("eachFirst"), afterEach: hook("eachLast") };
    return { before: first, beforeAll: first, after: last, afterAll: last, ...each };
  }

  globals() {
    const [describe, test] = [this.describe(), this.test(plain)];
    const names = { describe, context: describe, suite: describe, it: test, test, specify: test, expect };
    return { ...names, ...this.hooks(plain) };
  }

  module(name) {
    if (name === "tape") return this.test((call) => new Promise((yes, no) => ofTape(call, yes, no)));
    if (name !== "node:test") return this.globals();
    const test = this.test(ofNode), describe = this.describe();
    return Object.assign(test, { test, it: test, describe, suite: describe }, this.hooks(ofNode));
  }
}

function withWays(made, once) {
  const none = () => {};
  const each = (rows) => (name, call) =>
    rows.forEach((row, at) => once(`${name} [${at}]`, () => call(...(Array.isArray(row) ? row : [row]))));
  return Object.assign(made, { skip: none, todo: none, only: once, each });
}

function mochaContext() {
  const context = {};
  for (const name of ["timeout", "slow", "retries"]) context[name] = () => context;
  context.skip = () => { throw new NotSimple("skipped"); };
  return context;
}

function plain(call) {
  const context = mochaContext();
  if (!call.length) return call.call(context);
  return new Promise((yes, no) => call.call(context, (error) => (error ? no(error) : yes())));
}

async function ofNode(call) {
  const ends = [], skip = () => { throw new NotSimple("skipped"); };
  const test = async (...given) => ofNode(given.find((each) => typeof each === "function"));
  const context = { test, skip, todo: skip, diagnostic() {}, plan() {}, name: "step", assert, after: (end) => ends.push(end) };
  try {
    if (call.length < 2) return await call(context);
    return await new Promise((yes, no) => call(context, (error) => (error ? no(error) : yes())));
  } finally {
    for (const end of ends) await end();
  }
}

function ofTape(call, yes, no) {
  const t = {}, same = { equal: "strictEqual", is: "strictEqual", same: "deepStrictEqual", deepEqual: "deepStrictEqual",
    not: "notStrictEqual", notEqual: "notStrictEqual", notDeepEqual: "notDeepStrictEqual", ok: "ok", true: "ok",
    throws: "throws", doesNotThrow: "doesNotThrow", match: "match", doesNotMatch: "doesNotMatch" };
  for (const [name, own] of Object.entries(same)) t[name] = (...given) => {
    try { assert[own](...given); } catch (error) { no(error); }
  };
  let wanted = Infinity, seen = 0;
  for (const name of Object.keys(same)) {
    const check = t[name];
    t[name] = (...given) => { check(...given); if (++seen === wanted) yes(); };
  }
  t.notOk = t.false = (value, words) => t.ok(!value, words);
  Object.assign(t, { plan: (count) => (wanted = count), end: (error) => (error ? no(error) : yes()), comment() {}, pass() {} });
  t.fail = (words) => no(new assert.AssertionError({ message: words }));
  Promise.resolve(call(t)).then((value) => call.constructor.name === "AsyncFunction" && yes(value), no);
}

const plainly = (value) => (typeof value === "object" && value !== null ? JSON.parse(JSON.stringify(value)) : value);
const MATCHERS = {
  toBe: (got, want) => Object.is(got, want),
  toEqual: (got, want) => holds(() => assert.deepStrictEqual(plainly(got), plainly(want))),
  toStrictEqual: (got, want) => holds(() => assert.deepStrictEqual(got, want)),
  toBeTruthy: (got) => Boolean(got),
  toBeFalsy: (got) => !got,
  toBeNull: (got) => got === null,
  toBeUndefined: (got) => got === undefined,
  toBeDefined: (got) => got !== undefined,
  toBeNaN: (got) => Number.isNaN(got),
  toBeGreaterThan: (got, than) => got > than,
  toBeGreaterThanOrEqual: (got, than) => got >= than,
  toBeLessThan: (got, than) => got < than,
  toBeLessThanOrEqual: (got, than) => got <= than,
  toBeCloseTo: (got, want, digits = 2) => Math.abs(got - want) < 10 ** -digits / 2,
  toBeInstanceOf: (got, of) => got instanceof of,
  toContain: (got, part) => (typeof got === "string" ? got.includes(part) : [...got].includes(part)),
  toHaveLength: (got, length) => got.length === length,
  toMatch: (got, part) => (typeof part === "string" ? got.includes(part) : part.test(got)),
  toThrow: (got, want) => {
    try { got(); } catch (error) {
      if (want === undefined) return true;
      if (typeof want === "function") return error instanceof want;
      return want instanceof RegExp ? want.test(error.message) : error.message.includes(want.message ?? want);
    }
    return false;
  },
};
MATCHERS.toThrowError = MATCHERS.toThrow;

function holds(call) {
  try {
    call();
    return true;
  } catch (error) {
    if (error.code !== "ERR_ASSERTION") throw error;
    return false;
  }
}

function expect(got) {
  const build = (wanted) => Object.fromEntries(Object.entries(MATCHERS).map(([name, fits]) => [name, (...given) => {
    if (fits(got, ...given) !== wanted) throw new assert.AssertionError({ message: `expected ${wanted ? "" : "not "}${name}`, actual: got });
  }]));
  const later = (make) => new Proxy({}, { get: (_, name) => name === "then" ? undefined : async (...given) => expect(await make())[name](...given) });
  return {
    ...build(true), not: build(false), resolves: later(() => got),
    rejects: later(async () => { let error; try { await got; } catch (thrown) { error = thrown; return () => { throw error; }; } throw new assert.AssertionError({ message: "it does not reject" }); }),
  };
}
