import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { it } from 'node:test';
import { Downloads, PIECE, type Measure, type Wanted } from '../src/downloads.js';
import { failure, Memory } from './memory.js';

const never = new Promise<never>(() => undefined);
const ignored = (): void => undefined;

const contentOf = (size: number, first: number): Uint8Array => Uint8Array.from({ length: size }, (_, i) => (i + first) % 251);

/** A file whose pieces are asked for; `asked` has where they begin. */
function file(content: Uint8Array, asked: number[], piece: Wanted['piece'] = async (from, to) => content.slice(from, to)): Wanted {
  const sha256 = createHash('sha256').update(content).digest('hex');
  const noted = (from: number, to: number): Promise<Uint8Array> => {
    asked.push(from);
    return piece(from, to);
  };
  return { name: 'a file', size: content.length, sha256, piece: noted };
}

it('goes on where it broke off, and asks for nothing twice', async () => {
  const shelf = new Memory();
  const content = contentOf(2 * PIECE + 7, 1);
  const asked: number[] = [];
  const breaking = async (from: number, to: number): Promise<Uint8Array> => {
    if (from === PIECE && asked.length === 2) throw new TypeError('the connection broke');
    return content.slice(from, to);
  };
  const wanted = [file(content, asked, breaking), file(contentOf(5, 2), [])];
  await assert.rejects(new Downloads(shelf).fetch(wanted, ignored, never), TypeError);

  // a reload
  const again = new Downloads(shelf);
  assert.equal(await again.missing(wanted), PIECE + 7 + 5);
  const told: Measure[] = [];
  await again.fetch(wanted, (measure) => told.push(measure), never);
  assert.deepEqual(asked, [0, PIECE, PIECE, 2 * PIECE]);
  assert.deepEqual(told[0], { unit: 'bytes', done: PIECE, of: 2 * PIECE + 12 });
  assert.deepEqual(told.at(-1), { unit: 'bytes', done: 2 * PIECE + 12, of: 2 * PIECE + 12 });
  assert.equal(await again.missing(wanted), 0);
  assert.deepEqual(await again.read(wanted[0] as Wanted), content);
  assert.equal(shelf.kept.size, 2);
  await again.fetch(wanted, ignored, never);
  assert.equal(asked.length, 4);
});

it('keeps nothing of a file that is not the one that was signed', async () => {
  const shelf = new Memory();
  const content = contentOf(PIECE + 1, 3);
  const other = async (from: number, to: number): Promise<Uint8Array> => content.slice(from, to).map((byte, i) => (i === 0 ? byte ^ 1 : byte));
  assert.equal(await failure(new Downloads(shelf).fetch([file(content, [], other)], ignored, never)), 'gateway-misbehaved');
  assert.equal(shelf.kept.size, 0);
  const short = async (from: number, to: number): Promise<Uint8Array> => content.slice(from, to - 1);
  assert.equal(await failure(new Downloads(shelf).fetch([file(content, [], short)], ignored, never)), 'gateway-misbehaved');
  assert.equal(shelf.kept.size, 0);
});

it('stops at once, and keeps what has arrived', async () => {
  const content = contentOf(PIECE + 1, 4);
  let stop = ignored;
  const stopped = new Promise<never>((_, failed) => (stop = () => failed({ reason: 'stopped' })));
  const slow = (from: number, to: number): Promise<Uint8Array> => {
    if (from === 0) return Promise.resolve(content.slice(from, to));
    stop();
    return never;
  };
  const downloads = new Downloads(new Memory());
  const wanted = [file(content, [], slow)];
  assert.equal(await failure(downloads.fetch(wanted, ignored, stopped)), 'stopped');
  assert.equal(await downloads.missing(wanted), 1);
});

it('gives out no damaged file, and removes what is not wanted any more', async () => {
  const shelf = new Memory();
  const downloads = new Downloads(shelf);
  const [one, other] = [file(contentOf(9, 5), []), file(contentOf(9, 6), [])];
  await downloads.fetch([one, other], ignored, never);
  shelf.kept.set(one.sha256, contentOf(9, 7));
  assert.equal(await downloads.read(one), undefined);
  assert.equal(await downloads.missing([one, other]), 9);
  await downloads.fetch([one], ignored, never);
  assert.deepEqual([...shelf.kept.keys()], [one.sha256]);
});
