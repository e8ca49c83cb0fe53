import { base64urlnopad } from '@scure/base';
import { at, equal, fromHex, sized, toHex, type Bytes } from './bytes.js';
import { core, type Mint } from './digests.js';
import type { CircuitKey, Prove } from './evidence.js';
import type { Gateway, SignedAnswer } from './gateway.js';
import { ORIGIN_MINT } from './hash.js';
import { accepted, ask, type Transport } from './http.js';
import { makeMint } from './issuing.js';
import type { Of } from './json.js';
import type { WalletKeys } from './keys.js';
import { mintMembersOf, mintState, mintSubmission, writeBody } from './messages.js';
import type { Network } from './network.js';
import { encodeParcel, sealParcel } from './parcel.js';
import { planMint, type Plan } from './plan.js';
import { AMOUNT_LIMIT } from './reader.js';
import { demand, Refusal, type Reason } from './refusal.js';
import type { Signature } from './signatures.js';
import { unposted, type Delivery, type OwnedCoin, type State, type Store } from './store.js';

// Coins for money that the bank received: a funding (F-20, F-22, page 6).

/** A mint of this wallet. */
export interface MintOf {
  /** Hexadecimal. */
  readonly id: string;
  readonly value: bigint;
  /** Whether the coin is here; otherwise approvers have to decide. */
  readonly minted: boolean;
}

/** What a mint needs of the wallet. */
export interface MinterOf {
  readonly network: Network;
  readonly keys: WalletKeys;
  readonly circuit: () => CircuitKey;
  readonly store: Store;
  readonly gateway: Gateway;
  /** The wallet's part of the mailbox; none where there are no parts. */
  readonly bucket: bigint | undefined;
  /** The issuance service. */
  readonly service: Transport | undefined;
  readonly prove: Prove;
  readonly now: () => number;
  /** Tries again what may succeed later. */
  readonly again: <T>(step: () => Promise<T>) => Promise<T>;
  readonly signatures: (plan: Plan<Mint>, answer: SignedAnswer) => readonly Signature[];
}

/** Answers by which the issuance service took nothing. */
const REFUSALS: readonly Reason[] = ['unauthorized', 'not-found', 'insufficient-funds', 'mint-cap-exceeded', 'mint-conflict'];

type Waiting = NonNullable<State['mints']>[number];

const isOf = (id: Bytes) => (one: Waiting): boolean => equal(one.request.statement.mintId, id);

export class Minter {
  readonly #of: MinterOf;

  constructor(of: MinterOf) {
    this.#of = of;
  }

  /** The mints whose coins are not here. */
  get waiting(): readonly MintOf[] {
    return this.#mints.map(({ request: { statement } }) => ({ id: toHex(statement.mintId), value: statement.value, minted: false }));
  }

  get #mints(): readonly Waiting[] {
    return this.#of.store.state.mints ?? [];
  }

  get #service(): Transport {
    const { service } = this.#of;
    demand(service !== undefined, 'not-supported', 'the host has no transport to the issuance service');
    return service;
  }

  /** Asks for a coin out of a funding. The request is on disk before its first byte leaves, and the same arguments give the same mint. */
  async request(fundingId: string, accessToken: string, value: bigint, ordinal: number): Promise<MintOf> {
    const { network, keys, store, circuit, prove } = this.#of;
    demand(value > 0n && value < AMOUNT_LIMIT, 'malformed-request', 'a mint is more than zero');
    const service = this.#service;
    const id = keys.mintId(fundingId, ordinal);
    const plan = planMint(network, keys, id, value);
    if (store.state.seen.includes(at(plan.outputs, 0).rho)) return { id: toHex(id), value, minted: true };
    const known = this.#mints.find(isOf(id));
    demand(known === undefined || known.request.statement.value === value, 'mint-pending', 'this mint was asked for with another value');
    const request = known?.request ?? (await makeMint({ network, circuit: circuit() }, keys, plan, prove));
    const asked: Waiting = { fundingId, accessToken, request };
    if (known === undefined) await store.update({ mints: [...this.#mints, asked] });
    try {
      await this.#submit(service, asked);
    } catch (e) {
      // Nothing was taken; the same arguments would be the same mint again.
      if (known === undefined && e instanceof Refusal && REFUSALS.includes(e.reason)) await this.#drop(asked);
      throw e;
    }
    return this.collect(toHex(id));
  }

  /** Asks what became of a mint, and gets the coin when it is approved. A refused one is dropped. */
  async collect(idText: string): Promise<MintOf> {
    const id = sized(fromHex(idText), 32, 'a mint id');
    const known = this.#mints.find(isOf(id));
    demand(known !== undefined, 'mint-pending', 'this wallet waits for no mint of this id');
    const { value } = known.request.statement;
    const { status, approvals } = await this.#state(this.#service, known);
    if (status === 'refused') {
      await this.#drop(known);
      throw new Refusal('mint-refused', 'the issuer refused the mint');
    }
    if (status !== 'approved') return { id: idText, value, minted: false };
    await this.#finish(known, approvals ?? []);
    return { id: idText, value, minted: true };
  }

  /** What the issuance service says. It is asked again where the question before it did not arrive. */
  async #state(service: Transport, known: Waiting): Promise<Of<typeof mintState>> {
    const exchange = { method: 'GET', path: `/v1/mints/${base64urlnopad.encode(known.request.statement.mintId)}` } as const;
    try {
      return await ask(service, mintState, exchange);
    } catch (e) {
      if (!(e instanceof Refusal) || e.reason !== 'not-found') throw e;
    }
    await this.#submit(service, known);
    return ask(service, mintState, exchange);
  }

  async #submit(service: Transport, { fundingId, accessToken, request }: Waiting): Promise<void> {
    const headers = { 'Idempotency-Key': toHex(core(this.#of.network, request.statement)) };
    const body = writeBody(mintSubmission, { fundingId, accessToken, mint: mintMembersOf(request) });
    accepted(await service({ method: 'POST', path: '/v1/mints', headers, body, limit: 1 << 20 }));
  }

  #drop(known: Waiting): Promise<void> {
    return this.#of.store.update({ mints: this.#mints.filter((one) => one !== known) });
  }

  async #finish(known: Waiting, approvals: Waiting['request']['approvals']): Promise<void> {
    const { network, keys, store, gateway, now, again, signatures } = this.#of;
    const { mintId, value } = known.request.statement;
    const plan = planMint(network, keys, mintId, value);
    const answer = await again(() => gateway.submitMint(core(network, plan.statement), { ...known.request, approvals }));
    const [signature, { rho }] = [at(signatures(plan, answer), 0), at(plan.outputs, 0)];
    const coin: OwnedCoin = { origin: ORIGIN_MINT, value, rho, signature, time: BigInt(now()), text: '' };
    const { coins, seen, deliveries } = store.state;
    const mints = this.#mints.filter((one) => one !== known);
    if (seen.includes(rho)) return store.update({ mints });
    await store.update({ mints, coins: [...coins, coin], seen: [...seen, rho], deliveries: [...deliveries, this.#copy(coin)] });
  }

  /** A message to this wallet itself, for a restore. */
  #copy({ value, rho, signature, time }: OwnedCoin): Delivery {
    const { network, keys, bucket } = this.#of;
    const blob = sealParcel(network, keys.encryptionKey, encodeParcel({ kind: 'minted', value, rho, signature, time }));
    return unposted({ transfer: undefined, copy: rho, blob, bucket });
  }
}
