import { open } from '../../../../prover-native/cabi/wasm/solidus.mjs';
import type { Bytes } from '../../typescript/src/bytes.js';
import type { Prove } from '../../typescript/src/evidence.js';
import { Network } from '../../typescript/src/network.js';
import { ownProofs } from '../../typescript/src/proving.js';

// Proofs on this device. This worker alone may run WebAssembly, and it may call nobody.

/** What the prover is started with. */
export interface Opening {
  readonly networkId: string;
  readonly manifestKey: Bytes;
  readonly classes: readonly string[];
  /** The native library, compressed with gzip. */
  readonly module: Bytes;
  /** The folder of keys: content by name. */
  readonly keys: ReadonlyMap<string, Bytes>;
}

export interface Task {
  readonly family: number;
  readonly witness: Bytes;
}

export interface Proved {
  readonly proof: Bytes;
  /** Of the module. */
  readonly memoryBytes: number;
}

export type FromProver = Proved | { readonly failure: string };

interface Worker {
  postMessage(message: FromProver): void;
  onmessage: ((event: MessageEvent<Opening | Task>) => void) | null;
}

const worker = globalThis as unknown as Worker;

interface Opened {
  readonly prove: Prove;
  readonly memoryBytes: () => number;
}

let opened: Promise<Opened> | undefined;

async function start({ networkId, manifestKey, classes, module, keys }: Opening): Promise<Opened> {
  const content = new Blob([module as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('gzip'));
  const files = new Map([...keys].map(([name, file]) => [`keys/${name}`, file]));
  const library = await open(await new Response(content).arrayBuffer(), files);
  const prove = ownProofs(library, { network: new Network(networkId), manifestKey, classes }, '/keys');
  return { prove, memoryBytes: () => library.memoryBytes() };
}

worker.onmessage = async ({ data }) => {
  if ('module' in data) {
    opened = start(data);
    // its failure is told to the proof that waits for it
    opened.catch(() => undefined);
    return;
  }
  try {
    const { prove, memoryBytes } = (await opened) as Opened;
    const proof = await prove(data.family, data.witness);
    worker.postMessage({ proof, memoryBytes: memoryBytes() });
  } catch (e) {
    worker.postMessage({ failure: e instanceof Error ? `${e.name}: ${e.message}` : 'no reason' });
  }
};
