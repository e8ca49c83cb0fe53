import { ascii, concat, u32, u8, type Bytes } from './bytes.js';
import type { Prove } from './evidence.js';
import type { Gateway } from './gateway.js';
import type { Network } from './network.js';
import { Refusal, refusedAs } from './refusal.js';
import { shownText, utf8 } from './text.js';
import type { Profile } from './wallet.js';
import { openProof, RECOVER, sealWitness } from './witness.js';

/**
 * Proofs of the prover that the wallet's owner chose, whose key never comes from a gateway (W-07). The prover sees the payment; it
 * has no spend key, and the wallet verifies every proof. It is not asked for recovers (F-45), which refuse with `own-prover-needed`.
 */
export const delegatedProofs = (network: Network, proverKey: Bytes, gateway: Gateway): Prove => async (family, witness) => {
  if (family === RECOVER) {
    witness.fill(0);
    throw new Refusal('own-prover-needed', 'the witness of a recover is told to no prover: this machine has to make the proof');
  }
  const sealed = sealWitness(network, proverKey, family, witness);
  witness.fill(0);
  const answer = await gateway.prove(family, sealed.encapsulated, sealed.sealed);
  return refusedAs('proof-unverified', () => openProof(sealed.proofKey, answer));
};

/** The native library as a WebAssembly module, `prover-native/cabi/wasm`: bytes in, bytes out. */
export interface Library {
  invoke(operation: number, request: Bytes): Bytes;
}

const KEYS_OPEN = 60;
const PROVE = 70;
const REGULATED = 1;
const CLASSES: Readonly<Record<string, number>> = { development: 1, 'load-test': 2, ceremony: 4 };

const counted = (bytes: Bytes): Bytes => concat(u32(bytes.length), bytes);

/** The result of an operation. The library tells no secret in a refusal. */
function invoke(library: Library, operation: number, request: Bytes): Bytes {
  const reply = library.invoke(operation, request);
  const done = reply.length >= 2 && reply[0] === 0 && reply[1] === 0;
  if (!done) throw new Refusal('proof-unverified', `the native library refuses: ${shownText(reply.subarray(2))}`);
  return reply.slice(2);
}

/**
 * Proofs of this machine, which nobody else sees. The library was opened over the files of the folder of keys, and makes its first
 * proof after it has read the proving key.
 *
 * @param folder the name of the folder among the files of the library
 */
export function ownProofs(library: Library, { network, manifestKey, classes }: Pick<Profile, 'network' | 'manifestKey' | 'classes'>, folder: string): Prove {
  const allowed = classes.reduce((sum, name) => sum | (CLASSES[name] ?? 0), 0);
  const production = 0;
  const transcripts = u32(0);
  const asked = concat(counted(ascii(network.id)), u8(REGULATED), u8(allowed), u8(production), transcripts, counted(manifestKey), counted(utf8(folder)));
  let keys: Bytes | undefined;
  return async (family, witness) => {
    keys ??= invoke(library, KEYS_OPEN, asked);
    const request = concat(keys, u8(family), counted(witness));
    try {
      return invoke(library, PROVE, request);
    } finally {
      request.fill(0);
      witness.fill(0);
    }
  };
}
