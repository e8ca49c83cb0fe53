import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { toHex } from '../src/bytes.js';
import { Refusal } from '../src/refusal.js';
import { Inputs, vectorFiles, type Case } from './cases.js';
import { COVERED, LEFT_OUT, type Operation } from './covered.js';

/** What the vector of a parcel says where others name the reason: a wallet drops the blob. */
const DROPPED = 'dropped';

/** Asserts that the operation gives the output of the case, or refuses its inputs with the reason of the case. */
async function check(operation: Operation, c: Case): Promise<void> {
  let out: Uint8Array | string;
  try {
    out = await operation(new Inputs(c.in));
  } catch (e) {
    if (!(e instanceof Refusal)) throw e;
    const reason = c.error === DROPPED ? DROPPED : e.reason;
    assert.equal(reason, c.error, e.message);
    return;
  }
  assert.equal(c.error, undefined, 'it is not refused');
  assert.equal(typeof out === 'string' ? out : toHex(out), c.out);
}

/** The cases of an operation that fail, with what is wrong. */
async function failures(operation: Operation, cases: readonly Case[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const c of cases) {
    try {
      await check(operation, c);
    } catch (e) {
      wrong.push(`${c.name}: ${e instanceof Error ? e.message : String(e)}`);
    }
  }
  return wrong;
}

for (const file of vectorFiles()) {
  describe(`${file.name}.json`, () => {
    for (const op of new Set(file.cases.map((c) => c.op))) {
      const cases = file.cases.filter((c) => c.op === op);
      const operation = COVERED[file.name]?.[op];
      const name = `${file.name}.${op}`;
      if (operation === undefined) {
        it(`NOT COVERED: ${name}, ${cases.length} vectors: ${LEFT_OUT[name] ?? 'no reason'}`, () => {
          assert.ok(LEFT_OUT[name], `${name} is new: cover it, or say in LEFT_OUT why not`);
        });
      } else {
        it(`${name}: ${cases.length} vectors`, async () => assert.deepEqual(await failures(operation, cases), []));
      }
    }
  });
}

it('every operation that is covered or left out has vectors', () => {
  const present = new Set(vectorFiles().flatMap((file) => file.cases.map((c) => `${file.name}.${c.op}`)));
  const named = [...Object.entries(COVERED).flatMap(([file, ops]) => Object.keys(ops).map((op) => `${file}.${op}`)), ...Object.keys(LEFT_OUT)];
  assert.deepEqual(named.filter((name) => !present.has(name)), []);
});
