import { fromHex, toHex, type Bytes } from '../../typescript/src/bytes.js';
import type { Prove } from '../../typescript/src/evidence.js';
import { accepted, type Transport } from '../../typescript/src/http.js';
import type { KeyFile } from '../../typescript/src/manifest.js';
import { demand, Refusal } from '../../typescript/src/refusal.js';
import { utf8 } from '../../typescript/src/text.js';
import { PIECE, type Downloads, type Measure, type Wanted } from './downloads.js';
import { manifestOf, type Pinned } from './pinned.js';
import type { FromProver, Opening, Proved, Task } from './prover.js';
import type { Shelf } from './vault.js';

// Proofs on this device: what they need, and the worker that makes them.

/** The native library as the build put it beside the page, compressed and in pieces. A page that was built without it has null. */
declare const MODULE: { readonly size: number; readonly sha256: string } | null;

/** Why there is no proof of this device. */
export class NoProof extends Error {
  readonly reason: 'stopped' | 'proof-impossible' | 'proof-files-missing';

  constructor(reason: NoProof['reason'], detail: string) {
    super(detail);
    this.reason = reason;
  }
}

export const canProve = MODULE !== null;

/** The circuits whose proofs a wallet makes; of the others the library reads the verifying key only. Few wallets ever make a recover. */
const PROVED = { payments: ['transfer', 'register', 'mint'], recovers: ['recover'] } as const;

/** What proofs are for. */
export type Purpose = keyof typeof PROVED;
const MODULE_NAME = 'prover.wasm.gz';

/** How long the prover keeps its memory for the next proof, in milliseconds. */
const KEPT = 20_000;
const TICK = 500;

/** The files that proofs need: the library of the page, and the keys that the wallet's manifest names. */
export function neededFiles(pinned: Pinned, gateway: Transport, purpose: Purpose): readonly Wanted[] {
  demand(MODULE !== null, 'not-supported', 'this page was built without the native library');
  const proved: readonly string[] = PROVED[purpose];
  const module: Wanted = { name: MODULE_NAME, ...MODULE, piece: (from) => pieceOfPage(from / PIECE) };
  const keys = [...manifestOf(pinned).circuits].flatMap(([name, { verifyingKey, provingKey }]) => [
    verifyingKey,
    ...(proved.includes(name) && provingKey !== undefined ? [provingKey] : []),
  ]);
  return [module, ...keys.map((key) => keyFile(key, gateway))];
}

function keyFile({ file, size, sha256 }: KeyFile, gateway: Transport): Wanted {
  const path = `/v1/keys/files/${toHex(sha256)}`;
  const piece = async (from: number, to: number): Promise<Bytes> =>
    accepted(await gateway({ method: 'GET', path, headers: { Range: `bytes=${from}-${to - 1}` }, limit: PIECE }));
  return { name: file, size: Number(size), sha256: toHex(sha256), piece };
}

async function pieceOfPage(index: number): Promise<Bytes> {
  try {
    const response = await fetch(`prover-${index}.bin`, { credentials: 'omit' });
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
  } catch {
    // as an answer that is none
  }
  throw new Refusal('gateway-unreachable', 'the server of the page does not send the prover');
}

/** What a proof of this device took. */
export interface Cost {
  readonly milliseconds: number;
  readonly memoryBytes: number;
}

/** What the last proof of this device took. */
const LAST = 'lastProof';

export class OwnProver {
  readonly #pinned: Pinned;
  readonly #downloads: Downloads;
  readonly #filesFor: (family: number) => readonly Wanted[];
  readonly #shelf: Shelf;
  readonly #told: (measure: Measure) => void;
  readonly #start: () => Worker;
  #worker: Worker | undefined;
  /** What the worker was opened with. */
  #files: readonly Wanted[] = [];
  #closing: ReturnType<typeof setTimeout> | undefined;
  #stop: (() => void) | undefined;
  #last: Cost | undefined;

  /**
   * @param filesFor what proofs of a family need; the same list for families that one worker proves
   * @param told is told how far a proof is, by how long the last one took
   * @param start starts a worker with the prover's script
   */
  constructor(pinned: Pinned, downloads: Downloads, filesFor: (family: number) => readonly Wanted[], shelf: Shelf, told: (measure: Measure) => void, start: () => Worker) {
    this.#pinned = pinned;
    this.#downloads = downloads;
    this.#filesFor = filesFor;
    this.#shelf = shelf;
    this.#told = told;
    this.#start = start;
  }

  async open(): Promise<void> {
    this.#last = (await this.#shelf.get(LAST)) as Cost | undefined;
  }

  get last(): Cost | undefined {
    return this.#last;
  }

  readonly prove: Prove = async (family, witness) => {
    clearTimeout(this.#closing);
    const began = Date.now();
    let ended = (): void => undefined;
    try {
      const stopped = new Promise<never>((_, failed) => {
        this.#stop = () => failed(new NoProof('stopped', 'the owner stopped the proof'));
      });
      const of = this.#last?.milliseconds ?? 0;
      const clock = setInterval(() => this.#told({ unit: 'milliseconds', done: Date.now() - began, of }), TICK);
      ended = () => clearInterval(clock);
      const { proof, memoryBytes } = await Promise.race([this.#ask({ family, witness }), stopped]);
      this.#last = { milliseconds: Date.now() - began, memoryBytes };
      await this.#shelf.put({ [LAST]: this.#last });
      this.#closing = setTimeout(() => this.close(), KEPT);
      return proof;
    } catch (e) {
      this.close();
      throw e;
    } finally {
      ended();
      this.#stop = undefined;
      witness.fill(0);
    }
  };

  /** Stops the proof that is being made, if there is one. */
  stop(): void {
    this.#stop?.();
  }

  /** Ends the worker, whose memory has witnesses. */
  close(): void {
    clearTimeout(this.#closing);
    this.#stop?.();
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  async #ask(task: Task): Promise<Proved> {
    const files = this.#filesFor(task.family);
    if (files !== this.#files) {
      this.#worker?.terminate();
      this.#worker = undefined;
      this.#files = files;
    }
    const fresh = this.#worker === undefined;
    const worker = (this.#worker ??= this.#start());
    if (fresh) worker.postMessage(await this.#opening());
    return new Promise((done, failed) => {
      const impossible = (detail: string): void => failed(new NoProof('proof-impossible', detail));
      worker.onerror = (event) => impossible(event.message);
      worker.onmessage = ({ data }: MessageEvent<FromProver>) => {
        if ('proof' in data) done(data);
        else impossible(data.failure);
      };
      worker.postMessage(task);
    });
  }

  async #opening(): Promise<Opening> {
    const read = async (file: Wanted): Promise<readonly [string, Bytes]> => {
      const content = await this.#downloads.read(file);
      if (content === undefined) throw new NoProof('proof-files-missing', `${file.name} is not here`);
      return [file.name, content];
    };
    const keys = new Map(await Promise.all(this.#files.map(read)));
    const module = keys.get(MODULE_NAME) as Bytes;
    keys.delete(MODULE_NAME);
    const { trusted, manifest, manifestSignature } = this.#pinned;
    keys.set('manifest.json', manifest).set('manifest.sig', utf8(manifestSignature));
    const { networkId, keyClasses: classes, manifestKey } = trusted;
    return { networkId, classes, manifestKey: fromHex(manifestKey), module, keys };
  }
}
