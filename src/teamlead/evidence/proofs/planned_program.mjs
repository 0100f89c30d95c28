// Says what expressions of a task give, with the names of the work. `EXAMPLES` and `MARKER` are put before it.
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import path from 'node:path'
import util from 'node:util'

const require = createRequire(import.meta.url)
const write = process.stdout.write.bind(process.stdout)

async function load(place) {
  const file = path.resolve(place)
  try { return require(file) } catch (error) {
    if (error.code !== 'ERR_REQUIRE_ESM' && error.code !== 'ERR_REQUIRE_ASYNC_MODULE' && !(error instanceof SyntaxError)) throw error
    return await import(pathToFileURL(require.resolve(file)).href)
  }
}
const whole = module => (module && (module.__esModule || module[Symbol.toStringTag] === 'Module') && 'default' in module ? module.default : module)
const part = (module, name) => (module && name in Object(module) ? module[name] : Object(whole(module))[name])
const shown = value => util.inspect(value, { depth: 6, breakLength: Infinity, customInspect: false }).slice(0, 300)
const isPlain = value => value !== null && typeof value === 'object' && [null, Object.prototype].includes(Object.getPrototypeOf(value))

function same(got, wanted) {
  if (Object.is(got, wanted) || (got === wanted && typeof got === 'number')) return true
  if (typeof got === 'number' && typeof wanted === 'number') {
    const places = (String(wanted).split('.')[1] || '').length
    return Math.abs(got - wanted) <= 1e-9 * Math.abs(wanted) || (places > 1 && Number(got.toFixed(places)) === wanted)
  }
  if (Array.isArray(got) && Array.isArray(wanted)) return got.length === wanted.length && got.every((each, at) => same(each, wanted[at]))
  if (isPlain(got) && isPlain(wanted)) {
    const keys = Object.keys(wanted)
    return Object.keys(got).length === keys.length && keys.every(key => Object.hasOwn(got, key) && same(got[key], wanted[key]))
  }
  return util.isDeepStrictEqual(got, wanted)
}

function isCalled(error, name) {
  const last = name.split('(')[0].split('.').pop()
  if (last === 'Error' || last === 'Exception' || (error && error.name === last)) return true
  for (let each = error; each; each = Object.getPrototypeOf(each)) if (each.constructor && each.constructor.name === last) return true
  return false
}

async function tried(example) {
  const names = {}
  let run
  try {
    for (const [name, place, isPart] of example.names) {
      const module = await load(place)
      const found = isPart ? part(module, isPart) : whole(module)
      if (found === undefined) return [null, '']
      names[name] = found
    }
    run = code => new Function(...Object.keys(names), `return (async () => (${code}))()`)(...Object.values(names))
    new Function(...Object.keys(names), `return (async () => (${example.expression}))()`)
  } catch { return [null, ''] }
  let got
  try { got = await run(example.expression) } catch (error) {
    if (error instanceof ReferenceError || (error && typeof error.code === 'string' && error.syscall)) return [null, '']
    return [example.raises && isCalled(error, example.value), `throws ${String(error && error.name)}: ${String(error && error.message)}`.slice(0, 300)]
  }
  if (got && typeof got !== 'string' && typeof got.next === 'function' && typeof got[Symbol.iterator] === 'function') got = [...got]
  if (example.raises) return [false, `gives ${shown(got)}`]
  if (String(example.value) === got || example.value === shown(got)) return [true, `gives ${shown(got)}`]
  let wanted
  try { wanted = await run(example.value) } catch {
    const isText = typeof got === 'string' && example.value.split(/\s+/).length < 4
    return [isText ? false : null, `gives ${shown(got)}`]
  }
  if (typeof wanted === 'function') return [got instanceof wanted ? true : null, `gives ${shown(got)}`]
  return [same(got, wanted), `gives ${shown(got)}`]
}

const told = []
for (const example of EXAMPLES) told.push(await tried(example))
write('\n' + MARKER + JSON.stringify(told) + '\n')
