import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { strict as assert } from 'node:assert';
import { addressContent, decodeAddress, encodeAddress, jumble, unjumble } from '../src/address.js';
import { at, concat, fromHex, toHex, type Bytes } from '../src/bytes.js';
import { context, core, inputDigest, mintSerial, outputBase, type Blinded, type Outputs, type Statement } from '../src/digests.js';
import { decodeField, decodeScalar, encodeField } from '../src/field.js';
import { decodeG1, decodeG2, encodeG1, encodeG2 } from '../src/groups.js';
import { Hasher } from '../src/hash.js';
import { WalletKeys, seedOf, type TransferSecretsOf } from '../src/keys.js';
import * as jubjub from '../src/jubjub.js';
import { publicKey, randomisedKey, verifyCore } from '../src/keysig.js';
import { commitPoint, decodeLink, encodeLink, linkChallenge, proveLink, respond, verifyLink, type LinkStatement } from '../src/link.js';
import { parseJson } from '../src/json.js';
import { checkedCommittee, committee as committeeOf, readManifest, type Committee } from '../src/manifest.js';
import { decodeMemo, encodeMemo, memoNonce, openMemo, sealMemo, type Memo } from '../src/memo.js';
import {
  mintStatement,
  readBody,
  registerStatement,
  signed,
  transferRequest,
  transferStatement,
  writeBody,
  type RecoverRequest,
} from '../src/messages.js';
import { Network } from '../src/network.js';
import {
  approvalMessage,
  authorityKey,
  countersigned,
  listDigest,
  parseNote,
  readText,
  signedBy,
  signNote,
  writeText,
  type TextKind,
} from '../src/notes.js';
import { decodeParcel, encodeParcel, openParcel } from '../src/parcel.js';
import { decodePayout, openPayout, payoutText } from '../src/payout.js';
import { blindOutputs, planMint, planRegistration, planTransfer, type OwnFamily } from '../src/plan.js';
import { node, permutation } from '../src/poseidon2.js';
import { neighbours, sanctionRoot } from '../src/sanctions.js';
import { relationOf, resolveRecover, type Resolved } from '../src/recover.js';
import { verifyReceipt } from '../src/receipt.js';
import { demand } from '../src/refusal.js';
import { readRequest, requestContent, requestUri, signedRequest, type PaymentRequest } from '../src/request.js';
import { blind, checkBlinded, combine, randomise, show, signPartially, unblind, verify, verifyShown, type Signature } from '../src/signatures.js';
import { utf8 } from '../src/text.js';
import { isVoteOf, signaturesFrom, signVote, voteMessage } from '../src/votes.js';
import { mintWitness, openProof, openWitness, registerWitness, sealProof } from '../src/witness.js';
import { Inputs } from './cases.js';
import { MAIL } from './covered-mail.js';

/** What this implementation answers to the inputs of one operation of the vectors: bytes or a text. It asserts the steps on the way. */
export type Operation = (i: Inputs) => Bytes | string | Promise<string>;

const network = (i: Inputs): Network => new Network(i.text('network'));
const hasher = (i: Inputs): Hasher => new Hasher(network(i));
const field = (i: Inputs, name: string): bigint => decodeField(i.bytes(name));
const scalar = (i: Inputs, name: string): bigint => decodeScalar(i.bytes(name));
const fields = (i: Inputs, name: string): bigint[] => i.texts(name).map((text) => decodeField(fromHex(text)));
const points = (i: Inputs, name: string) => i.texts(name).map((text) => decodeG1(fromHex(text)));
const hashed = (f: (h: Hasher, i: Inputs) => bigint): Operation => (i) => encodeField(f(hasher(i), i));

const pkAuth = (i: Inputs) => jubjub.decodeKeyPoint(i.bytes('pkAuth'));

/** A point of Jubjub as 64 bytes, also where it is the identity, which has no encoding. */
const coordinates = (point: jubjub.KeyPoint): Bytes => {
  const { x, y } = point.toAffine();
  return concat(encodeField(x), encodeField(y));
};

const outputs = (i: Inputs): Outputs => ({ d: field(i, 'd'), period: i.integer('period'), cms: fields(i, 'cm') });

const linkSecrets = (i: Inputs) => ({ kappa: fields(i, 'kappa'), kappaBlind: scalar(i, 'blindKappa') });

const linkStatement = (i: Inputs): LinkStatement => ({
  core: i.bytes('core'),
  d: field(i, 'd'),
  rk: i.text('rk') === '' ? undefined : jubjub.decodeKeyPoint(i.bytes('rk')),
  h: points(i, 'h'),
  m: points(i, 'm'),
});

function statement(i: Inputs): Statement {
  const family = i.text('family');
  switch (family) {
    case 'register':
      return { family, apk: field(i, 'apk'), output: { cm: field(i, 'cm'), k: decodeG1(i.bytes('k')) } };
    case 'mint':
      return { family, mintId: i.bytes('mintId'), value: i.integer('value'), output: { cm: field(i, 'cm'), k: decodeG1(i.bytes('k')) } };
    case 'transfer':
    case 'transfer-unregulated':
    case 'claim-16':
    case 'pay-8':
      return {
        family,
        serials: fields(i, 'serials'),
        outputs: blindedCoins(i),
        period: i.integer('period'),
        withdrawn: i.integer('withdrawn'),
        context: i.bytes('context'),
      };
    default:
      throw new Error(`no family ${family}`);
  }
}

/** The recover of a case, over one or two transfers. Its rules hold. */
function resolvedRecover(i: Inputs): Resolved {
  const below = ['1', '2'].flatMap((n) => {
    const serials = fields(i, `serials${n}`);
    if (serials.length === 0) return [];
    const ks = points(i, `k${n}`);
    const outputs = fields(i, `cm${n}`).map((cm, j) => ({ cm, k: at(ks, j) }));
    const about = { family: 'transfer', period: i.integer(`period${n}`), withdrawn: i.integer(`withdrawn${n}`), context: i.bytes(`context${n}`) } as const;
    const transfer = { statement: { ...about, serials, outputs } } as unknown as NonNullable<RecoverRequest['below'][number]['transfer']>;
    return [{ transfer, recover: undefined }];
  });
  const about = { first: 0n, second: BigInt(below.length - 1), next: fields(i, 'next'), returned: [0n, 0n] };
  const made = { ...about, credits: i.integer('credits'), outputs: blindedCoins(i), context: i.bytes('context') };
  const resolved = resolveRecover(network(i), { below, statement: made });
  relationOf(...resolved.pair, resolved.made, made);
  return resolved;
}

function blindedCoins(i: Inputs): Blinded[] {
  const ks = points(i, 'k');
  return fields(i, 'cm').map((cm, n) => ({ cm, k: ks[n] as Blinded['k'] }));
}

/** Asserts a step on the way to the output, where the vector has it. */
function step(i: Inputs, name: string, value: Bytes): void {
  if (i.has(name)) assert.equal(toHex(value), i.text(name), `the step ${name}`);
}

function wallet(i: Inputs): WalletKeys {
  const seed = seedOf(i.text('phrase'));
  const keys = new WalletKeys(network(i), seed);
  if (i.has('prk')) {
    step(i, 'seed', seed);
    step(i, 'prk', keys.prk);
  }
  return keys;
}

const ofTransfer = (i: Inputs): TransferSecretsOf => ({
  snCc: field(i, 'sn'),
  counter: i.number('counter'),
  period: i.integer('period'),
  context: i.bytes('context'),
});

function paymentRequest(i: Inputs): PaymentRequest {
  return {
    payee: decodeAddress(network(i), i.text('payee')),
    ...(i.has('amount') ? { price: { amount: i.integer('amount'), currency: i.text('currency') } } : {}),
    ...(i.has('expires') ? { expires: i.integer('expires') } : {}),
    ...(i.has('id') ? { id: i.bytes('id') } : {}),
    ...(i.has('tag') ? { tag: i.bytes('tag') } : {}),
    ...(i.has('label') ? { label: i.text('label') } : {}),
    ...(i.has('refund') ? { refund: decodeAddress(network(i), i.text('refund')) } : {}),
  };
}

function request(i: Inputs): string {
  const plain = requestContent(network(i), paymentRequest(i));
  const content = i.has('secret') ? signedRequest(network(i), plain, i.bytes('secret')) : plain;
  step(i, 'content', content);
  return requestUri(content);
}

function shownRequest(i: Inputs): string {
  const { request, signer } = readRequest(network(i), i.text('text'));
  return [
    `payee ${encodeAddress(network(i), request.payee)}`,
    ...(request.price === undefined ? [] : [`amount ${request.price.amount}`, `currency ${request.price.currency}`]),
    ...(request.expires === undefined ? [] : [`expires ${request.expires}`]),
    ...(request.id === undefined ? [] : [`id ${toHex(request.id)}`]),
    ...(request.tag === undefined ? [] : [`tag ${toHex(request.tag)}`]),
    ...(request.label === undefined ? [] : [`label ${request.label}`]),
    ...(request.refund === undefined ? [] : [`refund ${encodeAddress(network(i), request.refund)}`]),
    ...(signer === undefined ? [] : [`signer ${toHex(signer)}`]),
  ].join('\n');
}

/** The secret that an input names. */
function named(i: Inputs, secrets: Readonly<Record<string, bigint | undefined>>): Bytes {
  const value = secrets[i.text('value')];
  if (value === undefined) throw new Error(`no secret ${i.text('value')}`);
  return encodeField(value);
}

function transferSecret(i: Inputs): Bytes {
  const { seed, outputs, r, dummies } = wallet(i).transfer(ofTransfer(i));
  const j = i.has('j') ? i.number('j') : 0;
  return named(i, { seed, history: r, s: outputs[j]?.s, b: outputs[j]?.b, dummy: dummies[j] });
}

const memo = (i: Inputs): Memo => ({
  counter: i.number('counter'),
  time: i.integer('atMillis'),
  paid: i.integer('paid'),
  payee: field(i, 'apk'),
  payeeKey: i.bytes('encryptionKey'),
  mailbox: i.text('mailbox'),
  withdrawn: i.integer('withdrawn'),
  unfinished: i.number('unfinished'),
  claimed: i.texts('values').map((value, n) => ({
    origin: Number(at(i.texts('origins'), n)),
    value: BigInt(value),
    rho: at(fields(i, 'rhos'), n),
  })),
  text: i.text('reference'),
  ...(i.has('lines') && { rest: i.bytes('lines') }),
});

function memoBlock(i: Inputs): Bytes {
  const { memoKey } = wallet(i);
  const content = encodeMemo(memo(i));
  step(i, 'memo', content);
  step(i, 'nonce', memoNonce(field(i, 'sn')));
  const block = sealMemo(memoKey, field(i, 'sn'), content);
  assert.deepEqual(decodeMemo(openMemo(memoKey, field(i, 'sn'), block)), memo(i));
  return block;
}

function planned(i: Inputs, family: OwnFamily = 'transfer'): string {
  const keys = wallet(i);
  const cc = {
    apk: keys.apk,
    rho: field(i, 'ccRho'),
    period: i.integer('ccPeriod'),
    sent: i.integer('ccSent'),
    count: i.integer('ccCount'),
    held: i.integer('ccHeld'),
    com: field(i, 'ccCom'),
  };
  return writeBody(transferStatement, planTransfer(network(i), keys, cc, i.integer('period'), memo(i), i.bytes('payoutBlock'), family).statement);
}

const outputOf = (i: Inputs): Blinded => {
  const secrets = fields(i, 's').map((s, n) => ({ s, b: at(fields(i, 'b'), n) }));
  return at(blindOutputs(network(i), field(i, 'd'), i.integer('period'), fields(i, 'messages'), secrets), i.number('j'));
};

/** The content of a blob, which has to be a parcel. */
function parcel(i: Inputs): Bytes {
  const content = openParcel(network(i), i.bytes('encryptionSecret'), i.bytes('blob'));
  assert.equal(toHex(encodeParcel(decodeParcel(content))), toHex(content));
  return content;
}

function payout(i: Inputs): string {
  const read = decodePayout(openPayout(network(i), i.bytes('issuerSecret'), i.bytes('block')));
  assert.deepEqual(read, { creditorName: i.text('creditorName'), iban: i.text('iban'), reference: i.text('reference') });
  return payoutText(read);
}

function address(i: Inputs): string {
  const parts = { apk: field(i, 'apk'), encryptionKey: i.bytes('encryptionKey'), mailbox: i.text('mailbox') };
  const content = addressContent(network(i), parts);
  step(i, 'body', content);
  step(i, 'jumbled', jumble(content));
  assert.deepEqual(unjumble(jumble(content)), content);
  return encodeAddress(network(i), parts);
}

/** A text, which also has to be read as it was written. */
function policyText(i: Inputs): string {
  const values = {
    version: i.integer('version'),
    period: i.integer('period'),
    'max-per-transfer-minor': i.integer('maxPerTransfer'),
    'max-per-period-minor': i.integer('maxPerPeriod'),
    'max-held-minor': i.integer('maxHeld'),
    'max-escrow-minor': i.integer('maxEscrow'),
    'max-transfers-per-period': i.integer('maxTransfersPerPeriod'),
    'mint-cap-per-day-minor': i.integer('mintCapPerDay'),
    'effective-at-millis': i.integer('effectiveAtMillis'),
  };
  const text = writeText(network(i), 'policy', values);
  assert.deepEqual(readText(network(i), 'policy', text), values);
  return text;
}

function checkpointText(i: Inputs): string {
  const values = {
    version: i.integer('version'),
    root: field(i, 'root'),
    size: i.integer('size'),
    'list-digest': i.bytes('listDigest'),
    'published-at-millis': i.integer('publishedAtMillis'),
  };
  const text = writeText(network(i), 'sanction-checkpoint', values);
  assert.deepEqual(readText(network(i), 'sanction-checkpoint', text), values);
  return text;
}

function note(i: Inputs): string {
  const key = authorityKey(i.number('authority'), ed25519.getPublicKey(i.bytes('seed')));
  assert.equal(key.name, i.text('name'));
  const written = signNote(i.text('text'), key.name, i.bytes('seed'));
  assert.ok(signedBy(parseNote(written), key));
  return written;
}

/** The base and k of output j of a statement. */
const ofOutput = (i: Inputs) => ({ h: outputBase(network(i), outputs(i), i.number('j')), k: at(points(i, 'k'), i.number('j')) });

const g1At = (i: Inputs, name: string, n = 0) => decodeG1(i.bytes(name).subarray(96 * n, 96 * (n + 1)));

const signature = (i: Inputs): Signature => ({ s1: g1At(i, 'signature', 0), s2: g1At(i, 'signature', 1) });

const signatureBytes = ({ s1, s2 }: Signature): Bytes => concat(encodeG1(s1), encodeG1(s2));

const keyOf = (i: Inputs, x = 'x', y = 'y') => ({ x: decodeG2(i.bytes(x)), y: decodeG2(i.bytes(y)) });

function checkPartial(i: Inputs): Bytes {
  const { h, k } = ofOutput(i);
  demand(checkBlinded(keyOf(i, 'memberX', 'memberY'), h, k, g1At(i, 'point')), 'signature-invalid', 'not the member\'s');
  return i.bytes('point');
}

function vote(i: Inputs): Bytes {
  step(i, 'message', voteMessage(i.bytes('core'), i.integer('epoch'), points(i, 'points')));
  return signVote(i.bytes('seed'), i.bytes('core'), i.integer('epoch'), points(i, 'points'));
}

function checkVote(i: Inputs): Bytes {
  const valid = isVoteOf(i.bytes('key'), i.bytes('core'), i.integer('epoch'), points(i, 'points'), i.bytes('vote'));
  demand(valid, 'signature-invalid', 'not the authority\'s vote');
  return i.bytes('vote');
}

/** Committees by their texts: to check one takes a third of a second, and cases share them. */
const committees = new Map<string, Committee>();

function committee(i: Inputs): Committee {
  const text = i.text('committee');
  const known = committees.get(text) ?? checkedCommittee(committeeOf.read(parseJson(text), 'refused'));
  committees.set(text, known);
  return known;
}

function answered(i: Inputs): Bytes {
  const openings = fields(i, 'messages').map((message, n) => ({ message, b: at(fields(i, 'b'), n) }));
  const statement = readBody(transferStatement, i.text('statement'));
  const answer = readBody(signed, i.text('answer'), 'ignored');
  return concat(...signaturesFrom(network(i), committee(i), statement, openings, answer).map(signatureBytes));
}

/** The prover's side of a sealed witness. */
function witness(i: Inputs) {
  const opened = openWitness(network(i), i.bytes('proverSecret'), i.number('family'), i.bytes('encapsulatedKey'), i.bytes('sealedWitness'));
  step(i, 'proofKey', opened.proofKey);
  return opened;
}

function sealedProof(i: Inputs): Bytes {
  const { proofKey } = witness(i);
  const answer = sealProof(proofKey, i.bytes('nonce'), i.bytes('proof'));
  assert.deepEqual(openProof(proofKey, answer), i.bytes('proof'));
  return answer;
}

/** A text of a kind, read and written again. */
function readAgain(i: Inputs): string {
  const kind = i.text('kind') as TextKind;
  return writeText(network(i), kind, readText(network(i), kind, i.text('text')));
}

function parcelText(i: Inputs): string {
  const read = decodeParcel(openParcel(network(i), i.bytes('encryptionSecret'), i.bytes('blob')));
  assert.equal(read.kind, 'payment');
  return read.kind === 'payment' ? read.text : '';
}

function manifest(i: Inputs): Bytes {
  const bytes = utf8(i.text('manifest'));
  const expected = { kind: i.text('kind') as 'regulated', classes: i.texts('classes') };
  readManifest(network(i), expected, i.bytes('manifestKey'), bytes, i.text('signature'));
  return sha256(bytes);
}

/** Operations that stand in several files. */
const addresses = {
  apk: hashed((h, i) => h.address(field(i, 'nk'), pkAuth(i)).apk),
  serialKey: hashed((h, i) => h.address(field(i, 'nk'), pkAuth(i)).snk),
};

const coin = hashed((h, i) => h.coin({ value: i.integer('value'), origin: i.number('origin'), apk: field(i, 'apk'), rho: field(i, 'rho') }));

const compliance = hashed((h, i) =>
  h.complianceCoin({
    apk: field(i, 'apk'),
    rho: field(i, 'rho'),
    period: i.integer('period'),
    sent: i.integer('sent'),
    count: i.integer('count'),
    held: i.integer('held'),
    com: field(i, 'com'),
  }),
);

const ownKey: Operation = (i) => jubjub.encodeKeyPoint(publicKey(jubjub.decodeKeyScalar(i.bytes('a'))));

/** The operations of each vector file. */
export const COVERED: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  network: { digest: (i) => new Network(i.text('id')).digest },
  field: { decode: (i) => encodeField(field(i, 'bytes')) },
  scalar: { decode: (i) => encodeField(scalar(i, 'bytes')) },
  g1: { decode: (i) => encodeG1(decodeG1(i.bytes('bytes'))) },
  g2: { decode: (i) => encodeG2(decodeG2(i.bytes('bytes'))) },
  jubjub: {
    point: (i) => jubjub.encodeKeyPoint(jubjub.decodeKeyPoint(i.bytes('bytes'))),
    scalar: (i) => jubjub.encodeKeyScalar(jubjub.decodeKeyScalar(i.bytes('bytes'))),
    add: (i) => coordinates(jubjub.add(jubjub.decodeKeyPoint(i.bytes('a')), jubjub.decodeKeyPoint(i.bytes('b')))),
    multiply: (i) => coordinates(jubjub.multiply(jubjub.decodeKeyPoint(i.bytes('point')), jubjub.decodeKeyScalar(i.bytes('scalar')))),
  },
  hash: {
    ...addresses,
    serial: hashed((h, i) => h.serial(field(i, 'x'), field(i, 'y'))),
    serialOfKeys: hashed((h, i) => h.serial(h.address(field(i, 'nk'), pkAuth(i)).snk, field(i, 'rho'))),
    coin,
    coinUnregulated: hashed((h, i) => h.coinUnregulated({ value: i.integer('value'), apk: field(i, 'apk'), rho: field(i, 'rho') })),
    escrow: hashed((h, i) => h.escrow(i.integer('value'), field(i, 'lock'), field(i, 'rho'))),
    compliance,
    entry: hashed((h, i) =>
      h.entry({
        com: field(i, 'com'),
        paid: i.integer('paid'),
        in1: i.integer('in1'),
        in2: i.integer('in2'),
        withdrawn: i.integer('withdrawn'),
        origin1: i.number('origin1'),
        origin2: i.number('origin2'),
        escrow: i.integer('escrow') === 1n,
        period: i.integer('period'),
        counterparty: field(i, 'counterparty'),
        r: field(i, 'r'),
      }),
    ),
    rhos: (i) => concat(...hasher(i).rhos(field(i, 'x'), field(i, 'y')).map(encodeField)),
    commit: hashed((h, i) => h.commitment(field(i, 'x'), field(i, 'y'))),
    leaf: hashed((h, i) => h.leaf(field(i, 'x'), field(i, 'y'))),
    node: (i) => encodeField(node(field(i, 'x'), field(i, 'y'), field(i, 'z'))),
    permutation: (i) => concat(...permutation([field(i, 'x'), field(i, 'y'), field(i, 'z')]).map(encodeField)),
    link: hashed((h, i) => h.link(field(i, 'salt'), fields(i, 'kappa'), fields(i, 'messages'))),
  },
  blind: {
    base: (i) => encodeG1(outputBase(network(i), outputs(i), i.number('index'))),
    blind: (i) => encodeG1(blind(outputBase(network(i), outputs(i), i.number('index')), field(i, 'message'), scalar(i, 'b'))),
  },
  statement: {
    context: (i) => context(network(i), i.bytes('payout'), i.bytes('memo')),
    core: (i) => core(network(i), statement(i)),
    inputDigest: (i) => encodeField(inputDigest(network(i), statement(i))),
    mintSerial: (i) => encodeField(mintSerial(network(i), i.bytes('mintId'))),
  },
  recover: {
    core: (i) => resolvedRecover(i).made.id,
    history: hashed((h, i) => {
      const [first, second] = fields(i, 'coms');
      const amounts = { returned: i.integer('returned'), outflow: i.integer('outflow'), budget: i.integer('budget') };
      return h.recoverEntry({ coms: [first as bigint, second as bigint], ...amounts, period: i.integer('period'), r: field(i, 'r') });
    }),
    inputDigest: (i) => encodeField(resolvedRecover(i).made.d),
    serials: (i) => concat(...resolvedRecover(i).recover.serials.map(encodeField)),
  },
  shapes: {
    core: (i) => core(network(i), statement(i)),
    details: hashed((h, i) =>
      h.details({
        coins: i.texts('values').map((value, n) => ({ value: BigInt(value), origin: Number(at(i.texts('origins'), n)) })),
        payments: i.texts('paid').map((paid, n) => ({ paid: BigInt(paid), payee: at(fields(i, 'payees'), n) })),
      }),
    ),
    inputDigest: (i) => encodeField(inputDigest(network(i), statement(i))),
    outputRhos: (i) => concat(...hasher(i).rhosOf(field(i, 'seed'), field(i, 'd'), i.number('outputs')).map(encodeField)),
  },
  keysig: {
    publicKey: ownKey,
    randomisedKey: (i) => jubjub.encodeKeyPoint(randomisedKey(pkAuth(i), jubjub.decodeKeyScalar(i.bytes('alpha')))),
    verify: (i) => {
      const rk = jubjub.decodeKeyPoint(i.bytes('rk'));
      verifyCore(rk, i.bytes('core'), i.bytes('signature'));
      return jubjub.encodeKeyPoint(rk);
    },
  },
  link: {
    commitment: (i) => encodeG1(commitPoint(points(i, 'h'), linkSecrets(i))),
    challenge: (i) => encodeField(linkChallenge(linkStatement(i), decodeG1(i.bytes('t')), field(i, 'a'))),
    respond: (i) => {
      const { z, blind } = respond(field(i, 'c'), linkSecrets(i), fields(i, 'messages'), fields(i, 'openings'));
      return concat(...z.map(encodeField), encodeField(blind));
    },
    prove: (i) =>
      encodeLink(
        proveLink(network(i), linkStatement(i), { ...linkSecrets(i), salt: field(i, 'salt') }, fields(i, 'messages'), fields(i, 'openings')),
      ),
    verify: (i) => {
      const s = linkStatement(i);
      return encodeField(verifyLink(s, decodeLink(i.bytes('link'), s.h.length)));
    },
  },
  mail: MAIL,
  sanction: {
    root: (i) => encodeField(sanctionRoot(network(i), i.texts('keys').map(fromHex))),
    neighbours: (i) => {
      const { low, high } = neighbours(i.texts('keys').map(fromHex), field(i, 'apk'));
      return concat(low, high);
    },
  },
  wallet: {
    seed: (i) => seedOf(i.text('phrase')),
    nullifierKey: (i) => encodeField(wallet(i).nk),
    spendKey: (i) => jubjub.encodeKeyScalar(wallet(i).a),
    encryptionSecret: (i) => wallet(i).decryptionKey,
    encryptionKey: (i) => wallet(i).encryptionKey,
    memoKey: (i) => wallet(i).memoKey,
    requestKey: (i) => ed25519.getPublicKey(wallet(i).requestKey()),
    request,
    readRequest: shownRequest,
    publicKey: ownKey,
    ...addresses,
    serial: hashed((h, i) => h.serial(field(i, 'serialKey'), field(i, 'rho'))),
    registrationSecret: (i) => named(i, { ...wallet(i).registration() }),
    mintSecret: (i) => named(i, { ...wallet(i).mint(i.bytes('mintId')) }),
    mintId: (i) => wallet(i).mintId(i.text('fundingId'), i.number('ordinal')),
    caseTag: (i) => wallet(i).caseTag(i.text('caseId'), i.text('accessToken')),
    transferSecret,
    rhos: (i) => concat(...hasher(i).rhos(field(i, 'seed'), field(i, 'd')).map(encodeField)),
    coinMessage: coin,
    complianceMessage: compliance,
    history: hashed((h, i) =>
      h.entry({
        com: field(i, 'com'),
        paid: i.integer('paid'),
        in1: i.integer('value0'),
        in2: i.integer('value1'),
        withdrawn: i.integer('withdrawn'),
        origin1: i.number('origin0'),
        origin2: i.number('origin1'),
        escrow: false,
        period: i.integer('period'),
        counterparty: field(i, 'recipient'),
        r: field(i, 'r'),
      }),
    ),
    cm: (i) => encodeField(outputOf(i).cm),
    k: (i) => encodeG1(outputOf(i).k),
    h: (i) => encodeG1(outputBase(network(i), outputs(i), i.number('j'))),
    partialSignature: (i) => {
      const { h, k } = ofOutput(i);
      return encodeG1(signPartially(scalar(i, 'x'), scalar(i, 'y'), h, k));
    },
    checkPartial,
    combine: (i) => encodeG1(combine(new Map(points(i, 'points').map((point, n) => [Number(at(i.texts('authorities'), n)), point])))),
    unblind: (i) => signatureBytes(unblind(ofOutput(i).h, g1At(i, 'combined'), g1At(i, 'y1'), scalar(i, 'b'))),
    verify: (i) => {
      demand(verify(keyOf(i), field(i, 'message'), signature(i)), 'signature-invalid', 'not the committee\'s');
      return i.bytes('signature');
    },
    randomise: (i) => signatureBytes(randomise(signature(i), scalar(i, 't'))),
    show: (i) => {
      const { h, m, s } = show(signature(i), g1At(i, 'y1'), field(i, 'message'), scalar(i, 't'), scalar(i, 'o'));
      return concat(encodeG1(h), encodeG1(m), encodeG1(s));
    },
    verifyShown: (i) => {
      const shown = { h: g1At(i, 'shown', 0), m: g1At(i, 'shown', 1), s: g1At(i, 'shown', 2) };
      demand(verifyShown(keyOf(i), shown), 'shown-signature-invalid', 'not the committee\'s');
      return i.bytes('shown');
    },
    vote,
    checkVote,
    signed: answered,
    memoBlock,
    payoutBlock: payout,
    parcel,
    parcelText,
    sealedWitness: (i) => witness(i).witness,
    sealedProof,
    address,
    readAddress: (i) => encodeAddress(network(i), decodeAddress(network(i), i.text('text'))),
    transferStatement: (i) => planned(i),
    claimStatement: (i) => planned(i, 'claim-16'),
    readStatement: (i) => core(network(i), readBody(transferStatement, i.text('text'))),
    transferRequest: (i) => core(network(i), readBody(transferRequest, i.text('body')).statement),
    receipt: (i) => verifyReceipt(network(i), 'regulated', committee(i), i.text('receipt')),
    registerStatement: (i) => writeBody(registerStatement, planRegistration(network(i), wallet(i)).statement),
    mintStatement: (i) => {
      const keys = wallet(i);
      const mintId = keys.mintId(i.text('fundingId'), i.number('ordinal'));
      return writeBody(mintStatement, planMint(network(i), keys, mintId, i.integer('value')).statement);
    },
    registerWitness: (i) => {
      const [keys, plan] = [wallet(i), planRegistration(network(i), wallet(i))];
      return registerWitness(keys, plan, core(network(i), plan.statement), jubjub.decodeKeyScalar(i.bytes('alpha')));
    },
    mintWitness: (i) => {
      const keys = wallet(i);
      const plan = planMint(network(i), keys, keys.mintId(i.text('fundingId'), i.number('ordinal')), i.integer('value'));
      return mintWitness(keys, plan, core(network(i), plan.statement));
    },
    policyText,
    checkpointText,
    readText: readAgain,
    note,
    readNote: (i) => parseNote(i.text('note')).text,
    countersigned: (i) => countersigned(i.text('note'), i.texts('keys').map((key, n) => authorityKey(n + 1, fromHex(key)))),
    manifest,
    listDigest: (i) => listDigest(network(i), i.texts('keys').map(fromHex)),
    approvalMessage: (i) =>
      approvalMessage(network(i), {
        family: 'mint',
        mintId: i.bytes('mintId'),
        value: i.integer('value'),
        output: { cm: field(i, 'cm'), k: decodeG1(i.bytes('k')) },
      }),
  },
};

/** Operations that this implementation leaves out, with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {};
