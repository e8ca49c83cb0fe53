import { fromHex, sized, toHex, type Bytes } from './bytes.js';
import type { Mint, Register, Transfer, TransferFamily } from './digests.js';
import {
  anyBytes,
  apk,
  below,
  bytes,
  checked,
  distinct,
  field,
  keyPoint,
  list,
  mapped,
  number,
  object,
  optional,
  parseJson,
  point,
  readable,
  small,
  text,
  textLimit,
  writeJson,
  type Codec,
  type Of,
  type Unknown,
} from './json.js';
import { proofLength } from './proof.js';
import { demand } from './refusal.js';

// The bodies of requests and answers (F-16 to F-23).

/** The index of an authority. */
const authority = checked(small, (index) => index >= 1n && index <= 100n, 'no such authority');

const coin = object({ cm: field, k: point });

/** Families of transfers by their codes, and the numbers of serial numbers and outputs of each. */
type Families = ReadonlyMap<bigint, readonly [family: TransferFamily, serials: number, outputs: number]>;

/** Those that this wallet reads. */
const FAMILIES: Families = new Map([
  [3n, ['transfer', 3, 2]],
  [4n, ['transfer-unregulated', 2, 2]],
  [7n, ['claim-16', 17, 2]],
]);

/** Those that receipts are of. */
const PAID: Families = new Map([...FAMILIES, [8n, ['pay-8', 3, 9]]]);

function codeOf(families: Families, family: TransferFamily): bigint {
  const found = [...families].find(([, [name]]) => name === family);
  demand(found !== undefined, 'malformed-request', 'no family that this wallet writes');
  return found[0];
}

const statementMembers = object({
  family: below(9n),
  serials: list(field),
  outputs: list(coin),
  period: small,
  withdrawnMinor: number,
  context: bytes(32),
});

const statementOf = (families: Families): Codec<Transfer> => ({
  write: (s) =>
    statementMembers.write({
      family: codeOf(families, s.family),
      serials: s.serials,
      outputs: s.outputs,
      period: s.period,
      withdrawnMinor: s.withdrawn,
      context: s.context,
    }),
  read: (json, unknown) => {
    const { family, serials, outputs, period, withdrawnMinor, context } = statementMembers.read(json, unknown);
    const known = families.get(family);
    demand(known !== undefined, 'malformed-request', `a transfer has family ${[...families.keys()].join(', ')}`);
    demand(serials.length === known[1], 'malformed-request', 'another number of serial numbers');
    demand(outputs.length === known[2], 'malformed-request', 'another number of outputs');
    demand(distinct(serials), 'serials-not-distinct', 'a serial number stands twice');
    return { family: known[0], serials, outputs, period, withdrawn: withdrawnMinor, context };
  },
});

/** F-16. */
export const transferStatement = statementOf(FAMILIES);

/** F-17. */
export const evidence = object({
  policyVersion: number,
  checkpointVersion: number,
  circuitVersion: small,
  rk: keyPoint,
  shows: list(object({ h: point, m: point, s: point })),
  proof: anyBytes,
  rkSignature: bytes(96),
});

const onePointAnOutput = checked(list(point), (points) => points.length === 1 || points.length === 2, 'one point for each output');

/** F-21. */
export const partialSignature = object({ authority, shareEpoch: small, points: onePointAnOutput, vote: bytes(64) });

export type PartialSignature = Of<typeof partialSignature>;

const blocks = object({ payoutBlock: bytes(512), memoBlock: bytes(1024) });

const requestMembers = object({
  statement: transferStatement,
  evidence,
  attachments: blocks,
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
    const certificate = request.certificate ?? [];
    demand(distinct(certificate.map((partial) => partial.authority)), 'malformed-request', 'two partial signatures of one authority');
    demand(certificate.every((partial) => partial.points.length === outputs.length), 'malformed-request', 'one point for each output');
    return request;
  },
};

const registerMembers = object({ apk, coin });

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
  circuitVersion: small,
  rk: keyPoint,
  proof: bytes(proofLength(1)),
  rkSignature: bytes(96),
});

/** F-19, as the registration service takes it. */
export const registration = object({
  apk,
  cm: field,
  k: point,
  circuitVersion: small,
  rk: keyPoint,
  proof: bytes(proofLength(1)),
  rkSignature: bytes(96),
});

/** The members of a request that the registration service takes. */
export const registrationMembers = ({ statement, ...evidence }: Of<typeof registrationRequest>): Of<typeof registration> => ({
  apk: statement.apk,
  ...statement.output,
  ...evidence,
});

const name = checked(text, (value) => value.length >= 1 && value.length <= 64, 'a name has 1 to 64 characters');

const approvals = checked(
  list(object({ approver: name, signature: bytes(64) })),
  (all) => all.length <= 8 && distinct(all.map((approval) => approval.approver)),
  'at most 8 approvals, of different approvers',
);

/** F-20. */
export const mintRequest = object({
  statement: mintStatement,
  circuitVersion: small,
  proof: bytes(proofLength(1)),
  approvals,
});

/** F-20, as the issuance service takes it. */
export const mint = object({
  mintId: bytes(32),
  valueMinor: number,
  cm: field,
  k: point,
  circuitVersion: small,
  proof: bytes(proofLength(1)),
});

/** F-22: what the issuance service is asked for. */
export const mintSubmission = object({ fundingId: text, accessToken: text, mint });

/** The members of a request that the issuance service takes. */
export const mintMembersOf = ({ statement, circuitVersion, proof }: Omit<Of<typeof mintRequest>, 'approvals'>): Of<typeof mint> => ({
  ...{ mintId: statement.mintId, valueMinor: statement.value },
  ...{ ...statement.output, circuitVersion, proof },
});

/** F-22: what became of a mint. */
export const mintState = object({ status: text, approvals: optional(approvals) });

/** F-22: the answer to a request. */
export const signed = object({ partials: list(partialSignature), combined: list(point) });

const plain = (limit: number): Codec<string> =>
  checked(
    text,
    (value) => value.length <= limit && value.trim() !== '' && !/\p{Cc}/u.test(value) && value.isWellFormed(),
    `not a text of 1 to ${limit} characters`,
  );

const matching = (form: RegExp, what: string): Codec<string> => checked(text, (value) => form.test(value), `not ${what}`);

/** F-22: what the registration service wants to know of a person. */
export const person = object({
  givenName: plain(100),
  familyName: plain(100),
  birthDate: checked(matching(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, 'a date'), (date) => !Number.isNaN(Date.parse(`${date}T00:00:00Z`)), 'no such day'),
  nationality: matching(/^[A-Za-z]{2,3}$/, 'a country of two or three letters'),
  documentNumber: plain(40),
});

/** F-22: what a person sends to the registration service. */
export const submission = object({ person, registration, bank: optional(text) });

/** What stands in a path or a header, and in a parcel (F-09). */
const token = matching(/^[\x21-\x7e]{1,255}$/, 'a token');

/** F-22: the case that the registration service made of it. */
export const openedCase = object({ caseId: token, accessToken: token });

/** F-22: a case of the registration service. */
export const registrationCase = object({
  status: text,
  attestationNote: optional(text),
  reasonCode: optional(text),
  reason: optional(text),
});

/** F-22, A-09: the tokens that a wallet asks for, and what the registration service signed. */
export const askedTokens = object({ day: number, requests: list(bytes(259)) });
export const signedTokens = object({ responses: list(bytes(256)) });

/** F-22: the banks of the registration service. */
export const registrationInfo = object({ networkId: text, banks: list(object({ id: text, name: text })) });

/** F-22: what the authorities are asked to sign. */
export const attestedRegistration = object({ request: registrationRequest, attestationNote: text });

/** A digest in hexadecimal. */
const hash: Codec<Bytes> = mapped(text, (t) => sized(fromHex(t), 32, 'a digest'), toHex);

/** F-22: what one shard of an authority signed about coins (W-09). */
export const signedStates = object({
  authority,
  mapVersion: number,
  floors: object({ policyVersion: number, checkpointVersion: number, period: small }),
  states: checked(
    list(object({ serial: field, core: optional(hash), request: optional(bytes(32)) })),
    (states) => states.length >= 1 && states.length <= 64 && distinct(states.map((state) => state.serial)),
    'one state for each of 1 to 64 serial numbers',
  ),
  signature: bytes(64),
});

/** The statement in F-33. */
export const recoverStatement = object({
  first: small,
  second: small,
  next: list(field, 2),
  returned: list(field, 2),
  credits: below(16n),
  outputs: list(coin, 2),
  context: bytes(32),
});

/** Of a recover, whose proof links its two outputs (F-33). */
const recoverEvidence = object({ circuitVersion: small, rk: keyPoint, proof: bytes(proofLength(2)), rkSignature: bytes(96) });

const requestBelow = checked(
  object({
    transfer: optional(object({ statement: transferStatement, evidence })),
    recover: optional(object({ statement: recoverStatement, evidence: recoverEvidence })),
  }),
  ({ transfer, recover }) => (transfer === undefined) !== (recover === undefined),
  'a transfer or a recover',
);

/** F-33. Each request stands after those that it is over. */
export const recoverRequest = object({
  statement: recoverStatement,
  evidence: recoverEvidence,
  attachments: blocks,
  below: checked(list(requestBelow), (all) => all.length >= 1 && all.length <= 16, 'a recover is over 1 to 16 requests'),
});

export type RecoverStatement = Of<typeof recoverStatement>;
export type RecoverRequest = Of<typeof recoverRequest>;

const stateMembers = object({
  serial: field,
  requests: readable(object({ request: transferRequest })),
  recovers: optional(readable(object({ request: recoverRequest }))),
});

const shownMemos = object({ requests: readable(object({ request: object({ attachments: object({ memoBlock: anyBytes }) }) })) });

/** A request of a transfer to several payees, as far as it is read. */
const shownSeveral = object({
  statement: object({
    family: checked(small, (family) => family === 8n, 'another family'),
    serials: list(field, 3),
    outputs: list(object({ cm: field }), 9),
    period: small,
    withdrawnMinor: number,
    context: bytes(32),
  }),
  attachments: object({ payoutBlock: bytes(512), memoBlock: bytes(2560) }),
});
const allSeveral = object({ requests: readable(object({ request: shownSeveral })) });

/** What a look-up shows of a transfer to several payees. */
export interface ShownTransfer {
  readonly statement: { readonly serials: readonly bigint[]; readonly cms: readonly bigint[]; readonly period: bigint; readonly withdrawn: bigint; readonly context: Bytes };
  readonly payoutBlock: Bytes;
  readonly memoBlock: Bytes;
}

function shownTransfer({ statement, attachments }: Of<typeof shownSeveral>): ShownTransfer {
  const { serials, outputs, period, withdrawnMinor, context } = statement;
  return { statement: { serials, cms: outputs.map(({ cm }) => cm), period, withdrawn: withdrawnMinor, context }, ...attachments };
}

const coinState: Codec<Of<typeof stateMembers> & { readonly memos?: readonly Bytes[]; readonly several?: readonly ShownTransfer[] }> = {
  write: (value) => stateMembers.write(value),
  read: (json, unknown) => ({
    ...stateMembers.read(json, unknown),
    // also of requests of families that cannot be read
    memos: shownMemos.read(json, 'ignored').requests.map(({ request }) => request.attachments.memoBlock),
    several: allSeveral.read(json, 'ignored').requests.map(({ request }) => shownTransfer(request)),
  }),
};

/** F-22: what the authorities said about coins. What a wallet cannot read counts as nothing, but for the memos of its own. */
export const coinStates = object({
  states: list(coinState),
  signed: optional(readable(signedStates)),
});

/** F-22: one page of the mailbox. */
export const mailboxPage = object({
  entries: list(object({ sequence: number, blob: anyBytes })),
  next: number,
  at: optional(bytes(32)),
});

/** F-22: the network as its gateway describes it. */
export const networkInfo = object({ networkId: text, networkKind: text });

/** F-22: a served manifest. */
export const servedKeys = object({ manifest: anyBytes, signature: anyBytes });

/** F-22: a delegated proof. */
export const sealedWitness = object({ family: small, encapsulatedKey: bytes(32), sealedWitness: anyBytes });
export const sealedProof = object({ sealedProof: anyBytes });

/** F-22: a question about coins, and a blob for the mailbox. */
export const coinQuestion = object({ serials: list(field), nonce: bytes(32) });
export const posted = object({ blob: bytes(1200), bucket: optional(small) });
export const postedAs = object({ sequence: number });

/** F-22: what the issuance service pays out. */
export const redemption = object({ request: transferRequest, partials: list(partialSignature) });

/** RFC 9457. */
export const problem = object({ code: optional(text), detail: optional(text) });

const pointsOfSeveral = checked(list(point), (points) => points.length >= 1 && points.length <= 9, 'one point for each output');

/** F-23. */
export const receipt = object({
  format: text,
  networkId: text,
  statement: statementOf(PAID),
  votes: list(object({ authority, shareEpoch: small, points: pointsOfSeveral, vote: bytes(64) })),
  coin: object({ origin: below(3n), valueMinor: number, apk, rho: field, s: field }),
});

/** A body from its text, of which at most so many bytes are read. */
export function readBody<T>(codec: Codec<T>, body: string, unknown: Unknown = 'refused', limit = textLimit(unknown)): T {
  return codec.read(parseJson(body, limit), unknown);
}

/** The text of a body. */
export const writeBody = <T>(codec: Codec<T>, value: T): string => writeJson(codec.write(value));
