import type { Mint, Register, Transfer } from './digests.js';
import {
  anyBytes,
  below,
  bytes,
  field,
  flag,
  keyPoint,
  list,
  number,
  object,
  optional,
  parseJson,
  point,
  text,
  writeJson,
  type Codec,
  type Of,
  type Unknown,
} from './json.js';
import { proofLength } from './proof.js';
import { demand } from './refusal.js';

// The bodies of requests and answers (F-16 to F-23).

const u31 = below(1n << 31n);
const u32 = below(1n << 32n);

const coin = object({ cm: field, k: point });

const statementMembers = object({
  family: below(5n),
  serials: list(field),
  outputs: list(coin, 2),
  period: u32,
  withdrawnMinor: number,
  context: bytes(32),
});

/** F-16. */
export const transferStatement: Codec<Transfer> = {
  write: (s) =>
    statementMembers.write({
      family: s.family === 'transfer' ? 3n : 4n,
      serials: s.serials,
      outputs: s.outputs,
      period: s.period,
      withdrawnMinor: s.withdrawn,
      context: s.context,
    }),
  read: (json, unknown) => {
    const { family, serials, outputs, period, withdrawnMinor, context } = statementMembers.read(json, unknown);
    demand(family === 3n || family === 4n, 'malformed-request', 'a transfer has family 3 or 4');
    demand(serials.length === (family === 3n ? 3 : 2), 'malformed-request', 'another number of serial numbers');
    demand(new Set(serials).size === serials.length, 'malformed-request', 'a serial number stands twice');
    return { family: family === 3n ? 'transfer' : 'transfer-unregulated', serials, outputs, period, withdrawn: withdrawnMinor, context };
  },
};

/** F-17. */
export const evidence = object({
  policyVersion: number,
  checkpointVersion: number,
  circuitVersion: number,
  rk: keyPoint,
  shows: list(object({ h: point, m: point, s: point })),
  proof: anyBytes,
  rkSignature: bytes(96),
});

/** F-21. */
export const partialSignature = object({ authority: u31, shareEpoch: number, points: list(point) });

const requestMembers = object({
  statement: transferStatement,
  evidence,
  attachments: object({ payoutBlock: bytes(512), memoBlock: bytes(1024) }),
  certificate: optional(list(partialSignature)),
});

/** F-18. A show for each serial number, and a proof of as many points as the family links. */
export const transferRequest: Codec<Of<typeof requestMembers>> = {
  write: (value) => requestMembers.write(value),
  read: (json, unknown) => {
    const request = requestMembers.read(json, unknown);
    const { serials, outputs } = request.statement;
    demand(request.evidence.shows.length === serials.length, 'malformed-request', 'another number of shown signatures');
    const proof = proofLength(serials.length + outputs.length);
    demand(request.evidence.proof.length === proof, 'malformed-request', `a proof has not ${proof} bytes`);
    const signers = (request.certificate ?? []).map((partial) => partial.authority);
    demand(new Set(signers).size === signers.length, 'malformed-request', 'two partial signatures of one authority');
    return request;
  },
};

const registerMembers = object({ apk: field, coin });

/** The statement in F-19. */
export const registerStatement: Codec<Register> = {
  write: ({ apk, output }) => registerMembers.write({ apk, coin: output }),
  read: (json, unknown) => {
    const members = registerMembers.read(json, unknown);
    return { family: 'register', apk: members.apk, output: members.coin };
  },
};

const mintMembers = object({ mintId: bytes(32), valueMinor: number, coin });

/** The statement in F-20. */
export const mintStatement: Codec<Mint> = {
  write: ({ mintId, value, output }) => mintMembers.write({ mintId, valueMinor: value, coin: output }),
  read: (json, unknown) => {
    const members = mintMembers.read(json, unknown);
    return { family: 'mint', mintId: members.mintId, value: members.valueMinor, output: members.coin };
  },
};

/** F-19. */
export const registrationRequest = object({
  statement: registerStatement,
  circuitVersion: number,
  rk: keyPoint,
  proof: bytes(proofLength(1)),
  rkSignature: bytes(96),
});

/** F-19, as the registration service takes it. */
export const registration = object({
  apk: field,
  cm: field,
  k: point,
  circuitVersion: number,
  rk: keyPoint,
  proof: bytes(proofLength(1)),
  rkSignature: bytes(96),
});

/** F-20. */
export const mintRequest = object({
  statement: mintStatement,
  circuitVersion: number,
  proof: bytes(proofLength(1)),
  approvals: list(object({ approver: text, signature: bytes(64) })),
});

/** F-20, as the issuance service takes it. */
export const mint = object({
  mintId: bytes(32),
  valueMinor: number,
  cm: field,
  k: point,
  circuitVersion: number,
  proof: bytes(proofLength(1)),
});

/** F-22: the answer to a request. */
export const signed = object({ partials: list(partialSignature), combined: list(point) });

/** F-22: what the authorities said about coins. */
export const coinStates = object({
  states: list(
    object({
      serial: field,
      unspent: list(u31),
      requests: list(object({ authorities: list(u31), request: transferRequest })),
    }),
  ),
});

const hexCore: Codec<string> = {
  write: (value) => value,
  read: (json, unknown) => {
    const value = text.read(json, unknown);
    demand(/^[0-9a-f]{64}$/.test(value), 'malformed-request', 'not a core in hexadecimal');
    return value;
  },
};

/** F-23. */
export const transferEvidence = object({
  format: text,
  networkId: text,
  core: hexCore,
  request: transferRequest,
  partials: list(partialSignature),
  opening: object({
    comBefore: field,
    comAfter: field,
    paidMinor: number,
    in1Minor: number,
    in2Minor: number,
    origin1: below(3n),
    origin2: below(3n),
    escrow: flag,
    withdrawnMinor: number,
    period: u32,
    recipientApk: field,
    randomness: field,
    atMillis: number,
    reference: text,
  }),
});

/** A body from its text. */
export function readBody<T>(codec: Codec<T>, body: string, unknown: Unknown = 'refused'): T {
  return codec.read(parseJson(body), unknown);
}

/** The text of a body. */
export const writeBody = <T>(codec: Codec<T>, value: T): string => writeJson(codec.write(value));
