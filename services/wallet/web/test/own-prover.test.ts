import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { Downloads, type Wanted } from '../src/downloads.js';
import { OwnProver } from '../src/own-prover.js';
import type { Pinned } from '../src/pinned.js';
import type { FromProver, Opening, Task } from '../src/prover.js';
import { failure, Memory } from './memory.js';

const KEY = '11'.repeat(32);
const TRANSFER = 3;
const RECOVER = 5;
const services = { gateway: '', registration: '', issuance: '', prover: KEY };
const trusted = { networkId: 'solidus-dev', currency: 'EUR', manifestKey: KEY, keyClasses: ['development'], ...services };
const none = new Uint8Array(0);
const pinned: Pinned = { trusted, manifest: Uint8Array.of(7), manifestSignature: 'ab', keys: { transfer: none, register: none, mint: none } };
const never = new Promise<never>(() => undefined);

const file = (name: string, content: Uint8Array): Wanted => {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { name, size: content.length, sha256, piece: async () => content };
};

/** A worker that answers a task as it is told; without an answer it works for ever. */
class FakeWorker {
  readonly got: (Opening | Task)[] = [];
  ended = false;
  onmessage: ((event: { readonly data: FromProver }) => void) | undefined;
  readonly #answer: FromProver | undefined;

  constructor(answer: FromProver | undefined) {
    this.#answer = answer;
  }

  postMessage(message: Opening | Task): void {
    this.got.push(structuredClone(message));
    const data = this.#answer;
    if ('witness' in message && data !== undefined) setTimeout(() => this.onmessage?.({ data }), 1);
  }

  terminate(): void {
    this.ended = true;
  }
}

async function proverOf(...answers: readonly (FromProver | undefined)[]): Promise<{ prover: OwnProver; workers: FakeWorker[]; files: Memory; wanted: Wanted[] }> {
  const files = new Memory();
  const downloads = new Downloads(files);
  const wanted = [file('prover.wasm.gz', Uint8Array.of(1)), file('transfer.pk', Uint8Array.of(2))];
  await downloads.fetch(wanted, () => undefined, never);
  const others = [wanted[0] as Wanted, file('recover.pk', Uint8Array.of(4))];
  await downloads.fetch(others, () => undefined, never, wanted);
  const workers: FakeWorker[] = [];
  const start = (): Worker => {
    workers.push(new FakeWorker(answers[workers.length]));
    return workers.at(-1) as unknown as Worker;
  };
  return { prover: new OwnProver(pinned, downloads, (family) => (family === RECOVER ? others : wanted), new Memory(), () => undefined, start), workers, files, wanted };
}

const witness = (): Uint8Array => new Uint8Array(3).fill(5);

describe('a prover on the device', () => {
  it('is opened once, with the signed folder of keys, and forgets the witness', async () => {
    const { prover, workers } = await proverOf({ proof: Uint8Array.of(9), memoryBytes: 64 });
    const secret = witness();
    assert.deepEqual(await prover.prove(TRANSFER, secret), Uint8Array.of(9));
    assert.deepEqual(secret, new Uint8Array(3));
    await prover.prove(TRANSFER, witness());
    const [worker] = workers as [FakeWorker];
    assert.equal(workers.length, 1);
    const [opening, ...tasks] = worker.got as [Opening, ...Task[]];
    assert.deepEqual([...opening.keys.keys()], ['transfer.pk', 'manifest.json', 'manifest.sig']);
    assert.deepEqual(tasks.map((task) => task.witness), [witness(), witness()]);
    assert.equal(prover.last?.memoryBytes, 64);
    prover.close();
    assert.equal(worker.ended, true);
  });

  it('that fails or is stopped is ended, and makes the next proof in a new worker', async () => {
    const { prover, workers } = await proverOf({ failure: 'memory' }, undefined, { proof: Uint8Array.of(8), memoryBytes: 64 });
    const secret = witness();
    assert.equal(await failure(prover.prove(TRANSFER, secret)), 'proof-impossible');
    assert.deepEqual([secret, workers[0]?.ended], [new Uint8Array(3), true]);
    const stopped = prover.prove(TRANSFER, witness());
    prover.stop();
    assert.equal(await failure(stopped), 'stopped');
    assert.equal(workers[1]?.ended, true);
    assert.deepEqual(await prover.prove(TRANSFER, witness()), Uint8Array.of(8));
    prover.close();
  });

  it('makes the proof of a recover in a worker of its own, with its keys alone', async () => {
    const made = { proof: Uint8Array.of(9), memoryBytes: 64 };
    const { prover, workers } = await proverOf(made, made, made);
    await prover.prove(TRANSFER, witness());
    await prover.prove(RECOVER, witness());
    assert.deepEqual(workers.map(({ ended }) => ended), [true, false]);
    await prover.prove(TRANSFER, witness());
    const keys = workers.map(({ got: [opening] }) => [...(opening as Opening).keys.keys()][0]);
    assert.deepEqual(keys, ['transfer.pk', 'recover.pk', 'transfer.pk']);
    prover.close();
  });

  it('gets no witness where a file is missing or damaged', async () => {
    const { prover, workers, files, wanted } = await proverOf({ proof: Uint8Array.of(9), memoryBytes: 64 });
    files.kept.set((wanted[1] as Wanted).sha256, Uint8Array.of(3));
    assert.equal(await failure(prover.prove(TRANSFER, witness())), 'proof-files-missing');
    assert.deepEqual([workers[0]?.got, workers[0]?.ended], [[], true]);
  });
});
