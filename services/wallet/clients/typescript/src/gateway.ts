import createClient from 'openapi-fetch';
import { concat, sized, toHex, type Bytes } from '@solidus/second-implementation/dist/src/bytes.js';
import {
  Gateway,
  RECORDS,
  answersTo,
  bucketPageOf,
  messageDigest,
  pageOf,
  type CoinState,
  type MintRequest,
  type Page,
  type RegistrationRequest,
  type SignedAnswer,
  type SignedStates,
  type TransferRequest,
} from '@solidus/second-implementation/dist/src/gateway.js';
import { accepted, type Transport } from '@solidus/second-implementation/dist/src/http.js';
import { anyBytes, field, keyPoint, point, type Codec, type Of } from '@solidus/second-implementation/dist/src/json.js';
import {
  coinStates,
  mailboxPage,
  networkInfo,
  postedAs,
  readBody,
  sealedProof,
  servedKeys,
  signed,
  type PartialSignature,
  type RecoverRequest,
} from '@solidus/second-implementation/dist/src/messages.js';
import { mailAnswers, type MailAnswer, type SealedShare } from '@solidus/second-implementation/dist/src/query.js';
import { Refusal } from '@solidus/second-implementation/dist/src/refusal.js';
import { utf8 } from '@solidus/second-implementation/dist/src/text.js';
import type { components, paths } from './generated/gateway.js';

type Schemas = components['schemas'];

/** A sanction list of 531,440 keys; no answer is longer. */
const LIMIT = 531_440 * 20;

/**
 * The gateway's routes by a client that openapi-typescript generates from the gateway's document. The compiler compares what a wallet
 * sends, and the members of answers that it reads, with that document. Whoever calls verifies every answer.
 *
 * The client reads JSON by `JSON.parse`: a number above 2^53 is refused with `gateway-misbehaved`.
 */
export class GeneratedGateway extends Gateway {
  readonly #client;

  constructor(transport: Transport) {
    super(() => Promise.reject(new Refusal('internal', 'a call that the generated client does not make')));
    this.#client = createClient<paths>({ baseUrl: 'http://gateway.invalid', fetch: fetchBy(transport) });
  }

  override async info(): Promise<Of<typeof networkInfo>> {
    const { networkId, networkKind } = await answered(this.#client.GET('/v1/info'));
    return read(networkInfo, { networkId, networkKind });
  }

  override async keys(): Promise<Of<typeof servedKeys>> {
    const { manifest, signature } = await answered(this.#client.GET('/v1/keys'));
    return read(servedKeys, { manifest, signature });
  }

  override async policyNote(): Promise<string> {
    return answered(this.#client.GET('/v1/policy', { parseAs: 'text' }));
  }

  override async checkpointNote(): Promise<string> {
    return answered(this.#client.GET('/v1/sanctions/checkpoint', { parseAs: 'text' }));
  }

  override async sanctionList(version: bigint): Promise<Bytes> {
    const params = { path: { version: number(version) } };
    return new Uint8Array(await answered(this.#client.GET('/v1/sanctions/checkpoints/{version}/list', { params, parseAs: 'arrayBuffer' })));
  }

  override async submitTransfer(core: Bytes, request: TransferRequest): Promise<SignedAnswer> {
    const { partials, combined } = await answered(this.#client.POST('/v1/transfers', { params: onceFor(core), body: transfer(request) }));
    return read(signed, { partials, combined });
  }

  override async submitRecover(core: Bytes, request: RecoverRequest): Promise<SignedAnswer> {
    const { partials, combined } = await answered(this.#client.POST('/v1/recovers', { params: onceFor(core), body: recover(request) }));
    return read(signed, { partials, combined });
  }

  override async submitRegistration(core: Bytes, request: RegistrationRequest, attestationNote: string): Promise<SignedAnswer> {
    const body = { request: registration(request), attestationNote };
    const { partials, combined } = await answered(this.#client.POST('/v1/registrations/signatures', { params: onceFor(core), body }));
    return read(signed, { partials, combined });
  }

  override async submitMint(core: Bytes, request: MintRequest): Promise<SignedAnswer> {
    const { partials, combined } = await answered(this.#client.POST('/v1/mints', { params: onceFor(core), body: mint(request) }));
    return read(signed, { partials, combined });
  }

  override async coinStates(serials: readonly bigint[], nonce: Bytes): Promise<{ states: readonly CoinState[]; signed: readonly SignedStates[] }> {
    const body = { serials: serials.map(fieldText), nonce: base64url(nonce) };
    const answer = await answered(this.#client.POST('/v1/coins/state', { body }));
    const { states, signed: signedStates = [] } = read(coinStates, { states: answer.states, signed: answer.signed });
    const same = states.length === serials.length && states.every((state, i) => state.serial === serials[i]);
    if (!same) throw new Refusal('gateway-misbehaved', 'an answer about other serial numbers');
    return { states, signed: signedStates };
  }

  override async prove(family: number, encapsulatedKey: Bytes, sealed: Bytes): Promise<Bytes> {
    const body = { family, encapsulatedKey: base64url(encapsulatedKey), sealedWitness: base64url(sealed) };
    const params = { header: { 'Idempotency-Key': toHex(messageDigest(concat(encapsulatedKey, sealed))) } };
    const answer = await answered(this.#client.POST('/v1/proofs', { params, body }));
    return read(sealedProof, { sealedProof: answer.sealedProof }).sealedProof;
  }

  override async post(blob: Bytes, bucket?: bigint): Promise<bigint> {
    const params = { header: { 'Idempotency-Key': toHex(messageDigest(blob)) } };
    const body = { blob: base64url(blob), ...(bucket === undefined ? {} : { bucket: number(bucket) }) };
    const { sequence } = await answered(this.#client.POST('/v1/mailbox', { params, body }));
    return read(postedAs, { sequence }).sequence;
  }

  override async mailbox(after: bigint, limit: number): Promise<Page> {
    const params = { query: { after: number(after), limit } };
    const { entries, next, at } = await answered(this.#client.GET('/v1/mailbox', { params }));
    return pageOf(read(mailboxPage, { entries, next, at }), after, limit);
  }

  override async bucket(bucket: number, after: bigint, limit: number): Promise<Page> {
    const params = { path: { bucket }, query: { after: number(after), limit } };
    const bytes = await answered(this.#client.GET('/v1/mailbox/buckets/{bucket}', { params, parseAs: 'arrayBuffer' }));
    return bucketPageOf(new Uint8Array(bytes), after, limit);
  }

  override async mailNote(): Promise<string> {
    return answered(this.#client.GET('/v1/mailbox/tables/note', { parseAs: 'text' }));
  }

  override async mailHeaders(bucket: number, after: bigint, upto: bigint): Promise<Bytes> {
    const params = { path: { bucket }, query: { after: number(after), upto: number(upto) } };
    return new Uint8Array(await answered(this.#client.GET('/v1/mailbox/tables/{bucket}/headers', { params, parseAs: 'arrayBuffer' })));
  }

  override async mailRecords(bucket: number, after: bigint, upto: bigint): Promise<Bytes> {
    const params = { path: { bucket }, query: { after: number(after), upto: number(upto), limit: RECORDS } };
    return new Uint8Array(await answered(this.#client.GET('/v1/mailbox/tables/{bucket}/records', { params, parseAs: 'arrayBuffer' })));
  }

  override async mailQuery(shares: readonly SealedShare[]): Promise<readonly MailAnswer[]> {
    const sealed = shares.map(({ authority, encapsulatedKey, sealedShare }) => ({
      authority: number(authority),
      encapsulatedKey: base64url(encapsulatedKey),
      sealedShare: base64url(sealedShare),
    }));
    const { answers } = await answered(this.#client.POST('/v1/mailbox/queries', { body: { shares: sealed } }));
    return answersTo(shares, read(mailAnswers, { answers }));
  }
}

// What is sent

const base64url = (bytes: Bytes): string => anyBytes.write(bytes) as string;
const fieldText = (value: bigint): string => field.write(value) as string;
const pointText = (value: Parameters<typeof point.write>[0]): string => point.write(value) as string;

/** A number that JSON of this platform can hold. */
function number(value: bigint): number {
  if (value > Number.MAX_SAFE_INTEGER) throw new Refusal('OUT_OF_RANGE', `${value} is above 2^53`);
  return Number(value);
}

/** The same core gets the same signatures, however often it is sent. */
const onceFor = (core: Bytes) => ({ header: { 'Idempotency-Key': toHex(sized(core, 32, 'a core')) } });

const coin = ({ cm, k }: TransferRequest['statement']['outputs'][number]): Schemas['BlindedCoinJson'] => ({ cm: fieldText(cm), k: pointText(k) });

const partial = ({ authority, shareEpoch, points, vote }: PartialSignature): Schemas['PartialSignatureJson'] => ({
  authority: number(authority),
  shareEpoch: number(shareEpoch),
  points: points.map(pointText),
  vote: base64url(vote),
});

const FAMILIES = { transfer: 3, 'transfer-unregulated': 4, 'claim-16': 7, 'pay-8': 8 } as const;

type TransferMembers = Pick<TransferRequest, 'statement' | 'evidence'>;

const transferMembers = ({ statement, evidence }: TransferMembers): Pick<Schemas['TransferRequestJson'], 'statement' | 'evidence'> => ({
  statement: {
    family: FAMILIES[statement.family],
    serials: statement.serials.map(fieldText),
    outputs: statement.outputs.map(coin),
    period: number(statement.period),
    withdrawnMinor: number(statement.withdrawn),
    context: base64url(statement.context),
  },
  evidence: {
    policyVersion: number(evidence.policyVersion),
    checkpointVersion: number(evidence.checkpointVersion),
    circuitVersion: number(evidence.circuitVersion),
    rk: keyPoint.write(evidence.rk) as string,
    shows: evidence.shows.map(({ h, m, s }) => ({ h: pointText(h), m: pointText(m), s: pointText(s) })),
    proof: base64url(evidence.proof),
    rkSignature: base64url(evidence.rkSignature),
  },
});

const blocks = ({ payoutBlock, memoBlock }: TransferRequest['attachments']): Schemas['AttachmentsJson'] => ({
  payoutBlock: base64url(payoutBlock),
  memoBlock: base64url(memoBlock),
});

const transfer = ({ attachments, certificate, ...members }: TransferRequest): Schemas['TransferRequestJson'] => ({
  ...transferMembers(members),
  attachments: blocks(attachments),
  ...(certificate === undefined ? {} : { certificate: certificate.map(partial) }),
});

const recoverMembers = ({ statement, evidence }: Pick<RecoverRequest, 'statement' | 'evidence'>): Schemas['RequestBelowRecover'] => ({
  statement: {
    first: number(statement.first),
    second: number(statement.second),
    next: statement.next.map(fieldText),
    returned: statement.returned.map(fieldText),
    credits: number(statement.credits),
    outputs: statement.outputs.map(coin),
    context: base64url(statement.context),
  },
  evidence: {
    circuitVersion: number(evidence.circuitVersion),
    rk: keyPoint.write(evidence.rk) as string,
    proof: base64url(evidence.proof),
    rkSignature: base64url(evidence.rkSignature),
  },
});

const recover = ({ attachments, below, ...members }: RecoverRequest): Schemas['RecoverRequestJson'] => ({
  ...recoverMembers(members),
  attachments: blocks(attachments),
  below: below.map(({ transfer: paid, recover: freed }) => ({
    ...(paid === undefined ? {} : { transfer: transferMembers(paid) }),
    ...(freed === undefined ? {} : { recover: recoverMembers(freed) }),
  })),
});

const registration = ({ statement, circuitVersion, rk, proof, rkSignature }: RegistrationRequest): Schemas['RegisterRequestJson'] => ({
  statement: { apk: fieldText(statement.apk), coin: coin(statement.output) },
  circuitVersion: number(circuitVersion),
  rk: keyPoint.write(rk) as string,
  proof: base64url(proof),
  rkSignature: base64url(rkSignature),
});

const mint = ({ statement, circuitVersion, proof, approvals }: MintRequest): Schemas['MintRequestJson'] => ({
  statement: { mintId: base64url(statement.mintId), valueMinor: number(statement.value), coin: coin(statement.output) },
  circuitVersion: number(circuitVersion),
  proof: base64url(proof),
  approvals: approvals.map(({ approver, signature }) => ({ approver, signature: base64url(signature) })),
});

// What is answered

/** The transport of a wallet, as the function that the generated client calls. */
const fetchBy = (transport: Transport) => async (request: Request): Promise<Response> => {
  const { pathname, search } = new URL(request.url);
  const text = request.method === 'POST' ? await request.text() : undefined;
  const headers = Object.fromEntries(request.headers);
  delete headers['content-type']; // the transport's own would stand beside it, and services refuse two
  const exchange = { method: request.method as 'GET' | 'POST', path: pathname + search, headers, limit: LIMIT };
  const { status, body } = await transport(text === undefined ? exchange : { ...exchange, body: text });
  return new Response(body as Uint8Array<ArrayBuffer>, { status });
};

interface Result<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

const misbehaved = (e: unknown): Refusal => (e instanceof Refusal ? e : new Refusal('gateway-misbehaved', e instanceof Error ? e.message : 'no answer of the document'));

/** The answer of a call. A refusal has the code that the service gives, if it is known. */
async function answered<T>(call: Promise<Result<T>>): Promise<T> {
  const { data, error, response } = await call.catch((e: unknown) => Promise.reject(misbehaved(e)));
  if (data !== undefined) return data;
  accepted({ status: response.status, body: utf8(JSON.stringify(error ?? {})) });
  throw misbehaved(undefined);
}

/** Values of the wallet from the members of an answer. */
function read<T>(codec: Codec<T>, members: object): T {
  const text = JSON.stringify(members, (_, value: unknown) => {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new Refusal('gateway-misbehaved', `the number ${value}`);
    return value;
  });
  try {
    return readBody(codec, text, 'ignored', LIMIT);
  } catch (e) {
    throw new Refusal('gateway-misbehaved', e instanceof Error ? e.message : 'an answer that cannot be read');
  }
}
