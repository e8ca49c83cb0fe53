import { at, toHex } from './bytes.js';
import { core } from './digests.js';
import { limitsOf, verifyBesideProof, verifyEvidence, type EvidenceOf, type Prove } from './evidence.js';
import type { CoinState, SignedStates, TransferRequest } from './gateway.js';
import type { ComplianceCoin } from './hash.js';
import type { WalletKeys } from './keys.js';
import { recoverRequest, transferRequest, writeBody, type RecoverRequest } from './messages.js';
import type { TransferPlan } from './plan.js';
import { reopenRecover, type OwnRecover } from './recover.js';
import { covers, draftRecover, manyOf, ownRecover, ownTransfer, proveRecover, verifiesRecover, type OwnCore, type RecoverOf } from './recovering.js';
import { demand, Refusal } from './refusal.js';
import type { Rules } from './rules.js';

// What a wallet knows of an account that its own cores lock, and the recover over all of it (W-10).

/** The most serial numbers of one question. */
const ASKED = 64;

/** What a graph needs of its wallet. */
export interface GraphOf {
  readonly evidence: EvidenceOf;
  readonly recover: RecoverOf;
  readonly f: number;
  readonly keys: WalletKeys;
  serial(rho: bigint): bigint;
  /** The plan of a request that is this wallet's own and spends the coin. */
  reopen(coin: ComplianceCoin, request: TransferRequest): TransferPlan | undefined;
  /** Whether the wallet gave the transfer up (W-09). */
  gaveUp(name: string): boolean;
  /** What the authorities say for a nonce that is drawn for this question; only answers whose signatures hold. */
  ask(serials: readonly bigint[]): Promise<{ readonly states: readonly CoinState[]; readonly signed: readonly SignedStates[] }>;
  rules(): Promise<Rules>;
  readonly prove: Prove;
}

interface KnownTransfer {
  readonly own: OwnCore;
  readonly plan: TransferPlan;
  /** They differ in their evidence; the one that a recover shows is the first. */
  readonly requests: readonly TransferRequest[];
}

interface KnownRecover {
  readonly own: OwnCore;
  readonly recover: OwnRecover;
}

/** A core of this wallet that an authority may hold. */
export type Known = KnownTransfer | KnownRecover;

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
const below = ({ list }: OwnCore): number => list.length - 1;

/** Fewer cores below first, transfers before recovers, the longer claim, then the smaller digest. */
const inOrder = (one: OwnCore, other: OwnCore): number =>
  Number(one.isRecover) - Number(other.isRecover) || below(one) - below(other) || manyOf(other) - manyOf(one) || byText(one.name, other.name);

/** The cores that spend one compliance coin or a successor of it, and what authorities sign of their serial numbers. It only grows. */
export class Graph {
  readonly lead: bigint;
  readonly #of: GraphOf;
  readonly #known = new Map<string, Known>();
  /** The compliance coins that a known core may spend, by their serial numbers. */
  readonly #coins = new Map<bigint, ComplianceCoin>();
  /** What each authority signed of a serial number: the core that holds it, or none. */
  readonly #answers = new Map<bigint, ReadonlyMap<bigint, string | undefined>>();
  /** The texts of requests that were judged: each look shows them again. */
  readonly #judged = new Set<string>();
  #rules: Rules | undefined;

  constructor(of: GraphOf, tip: ComplianceCoin) {
    this.#of = of;
    this.lead = of.serial(tip.rho);
    this.#coins.set(this.lead, tip);
  }

  /** The cores, and the coins that others hold: a round that changes neither is the last one. */
  knowledge(without = ''): string {
    return [...[...this.#known.keys()].filter((name) => name !== without), ...[...this.elsewhere()].map(String)].sort().join();
  }

  has(name: string): boolean {
    return this.#known.has(name);
  }

  /** The known transfers. */
  get plans(): readonly TransferPlan[] {
    return [...this.#known.values()].flatMap((one) => ('plan' in one ? [one.plan] : []));
  }

  /** Asks the authorities about the lead, the successors and the coins that cores name, until they show nothing new. */
  async look(): Promise<void> {
    const asked = new Set<bigint>();
    for (;;) {
      const next = this.#serials().filter((serial) => !asked.has(serial));
      if (next.length === 0) return;
      for (let i = 0; i < next.length; i += ASKED) await this.#ask(next.slice(i, i + ASKED));
      next.forEach((serial) => asked.add(serial));
    }
  }

  #serials(): readonly bigint[] {
    return [...new Set([this.lead, ...[...this.#known.values()].flatMap(({ own }) => [own.nextSerial, ...own.serials])])];
  }

  async #ask(serials: readonly bigint[]): Promise<void> {
    const { states, signed } = await this.#of.ask(serials);
    for (const serial of serials) this.#answers.set(serial, answersAbout(serial, signed));
    for (const { requests, recovers = [] } of states) {
      for (const { request } of requests) await this.addTransfer(request);
      for (const { request } of recovers) this.addRecover(request);
    }
  }

  /** Adds a transfer of this wallet that spends the lead or a successor. One of which no request verifies counts for nothing. */
  async addTransfer(request: TransferRequest): Promise<void> {
    const lead = at(request.statement.serials, 0);
    const spent = this.#coins.get(lead);
    if (spent === undefined || !this.#isNew(writeBody(transferRequest, request))) return;
    const name = toHex(core(this.#of.evidence.network, request.statement));
    const before = this.#known.get(name);
    const plan = before !== undefined && 'plan' in before ? before.plan : this.#of.reopen(spent, request);
    // a transfer that was given up never completes while 2f + 1 authorities sign that its lead is free
    const over = lead === this.lead && this.leadIsFree && this.#of.gaveUp(name);
    if (plan === undefined || over || !(await this.#mayVerify(request))) return;
    const requests = [...(before !== undefined && 'plan' in before ? before.requests : []), request];
    const { network } = this.#of.evidence;
    this.#put({ own: ownTransfer(network, this.#of.keys, plan, at(requests, 0).evidence), plan, requests });
  }

  /** Adds a recover of this wallet that spends the lead or a successor. */
  addRecover(request: RecoverRequest): void {
    const { keys, evidence, recover: of } = this.#of;
    if (this.#judged.has(writeBody(recoverRequest, request))) return;
    for (const lead of this.#coins.keys()) {
      const opened = reopenRecover(evidence.network, keys, lead, request);
      if (opened === undefined) continue;
      this.#isNew(writeBody(recoverRequest, request));
      if (!this.#known.has(opened.id) && verifiesRecover(of, request) && this.#showsWhatHolds(request)) this.add(opened);
      return;
    }
  }

  add(recover: OwnRecover): void {
    this.#put({ own: ownRecover(this.#of.evidence.network, this.#of.keys, recover), recover });
  }

  /** Forgets a recover that authorities refuse for its evidence; another one may show a better one. */
  forget({ recover }: KnownRecover): void {
    this.#isNew(writeBody(recoverRequest, recover.request));
    this.#known.delete(recover.id);
  }

  #isNew(text: string): boolean {
    const fresh = !this.#judged.has(text);
    this.#judged.add(text);
    return fresh;
  }

  #put(one: Known): void {
    this.#known.set(one.own.name, one);
    this.#coins.set(one.own.nextSerial, one.own.next);
  }

  #showsWhatHolds({ below: list }: RecoverRequest): boolean {
    return list.every(({ transfer }) => transfer === undefined || holds(() => verifyBesideProof(this.#of.evidence, transfer.statement, transfer.evidence)));
  }

  /** Whether the evidence verifies, as far as the wallet knows the rules that it names: a lying authority may have spoilt what it shows. */
  async #mayVerify({ statement, evidence }: TransferRequest): Promise<boolean> {
    const of = this.#of.evidence;
    this.#rules ??= await this.#of.rules();
    const { policy, checkpoint, tree } = this.#rules;
    const known = statement.family === 'transfer' && evidence.policyVersion === policy.version && evidence.checkpointVersion === checkpoint.version;
    return holds(() => (known ? verifyEvidence(of, statement, evidence, limitsOf({ policy }), tree.root) : verifyBesideProof(of, statement, evidence)));
  }

  /** Whether no known core spends the lead. */
  get isEmpty(): boolean {
    return this.#atLead().length === 0;
  }

  /** Whether 2f + 1 authorities signed that the lead is free. */
  get leadIsFree(): boolean {
    const answers = [...(this.#answers.get(this.lead)?.values() ?? [])];
    return answers.filter((holder) => holder === undefined).length >= 2 * this.#of.f + 1;
  }

  #atLead(): Known[] {
    return [...this.#known.values()].filter(({ own }) => own.lead === this.lead);
  }

  /** What may still complete and is below no known recover, the one with most below it first. */
  get toSend(): readonly Known[] {
    const burnt = new Set([...this.#known.values()].flatMap(({ own }) => own.list.slice(0, -1).map(({ name }) => name)));
    return this.#atLead()
      .filter(({ own }) => !burnt.has(own.name))
      .sort((one, other) => below(other.own) - below(one.own) || byText(one.own.name, other.own.name));
  }

  /**
   * Whether a core outside this one and those below it holds one of its serial numbers: one that this wallet made, by the word of one
   * authority, or an unknown one, by that of f + 1. The gateway's word counts for nothing.
   */
  isRefused({ own }: Known): boolean {
    return own.serials.some((serial) => {
      const others = this.#holders(serial).filter((holder) => !covers(own, holder));
      return others.length > this.#of.f || others.some((holder) => this.#isFamily(holder));
    });
  }

  #holders(serial: bigint): string[] {
    return [...(this.#answers.get(serial)?.values() ?? [])].filter((holder) => holder !== undefined);
  }

  #isFamily(name: string): boolean {
    return [...this.#known.values()].some(({ own }) => covers(own, name));
  }

  /** Cores that hold a serial number of this graph and that the wallet cannot place in it. */
  get strangers(): ReadonlySet<string> {
    return new Set([...this.#answers.keys()].flatMap((serial) => this.#holders(serial)).filter((holder) => !this.#isFamily(holder)));
  }

  /** The coins that another core holds at f + 1 authorities, so at an honest one. Fewer may lie, and 2f + 1 others suffice. */
  elsewhere(): ReadonlySet<bigint> {
    const coins = [...this.#known.values()].flatMap(({ own }) => own.parts.flat());
    return new Set(coins.filter((coin) => this.#holders(coin).filter((holder) => !this.#isFamily(holder)).length > this.#of.f));
  }

  /**
   * A recover over everything known. One that was made before is not proved again, and one that burns everything already is that one.
   *
   * @param made recovers that this wallet proved since it was opened
   */
  async recover(made: Map<string, OwnRecover>): Promise<OwnRecover> {
    const { keys, prove, recover: of } = this.#of;
    const elsewhere = this.elsewhere();
    const order = this.#order().map((own) => this.#withBestEvidence(own));
    const [first] = order;
    demand(first !== undefined, 'recover-impossible', 'no core is known');
    let last = first;
    let newest: OwnRecover | undefined;
    for (const own of order.length === 1 ? order : order.slice(1)) {
      if (order.length > 1 && covers(last, own.name)) continue;
      const draft = draftRecover(of.network, keys, last, own, elsewhere);
      newest = made.get(draft.name) ?? (await proveRecover(of, keys, draft, prove));
      made.set(draft.name, newest);
      last = ownRecover(of.network, keys, newest);
    }
    if (newest !== undefined) return newest;
    const known = this.#known.get(first.name);
    demand(known !== undefined && 'recover' in known, 'recover-impossible', 'no core is known');
    return known.recover;
  }

  /** The evidence of transfers below a recover as the wallet verified it, whatever the recover was shown with. */
  #withBestEvidence(own: OwnCore): OwnCore {
    const list = own.list.map((entry) => {
      const known = this.#known.get(entry.name);
      return known !== undefined && 'plan' in known ? at(known.own.list, 0) : entry;
    });
    return { ...own, list };
  }

  /**
   * Children into their branch, then branches, then older recovers. A recover over transfers that the wallet does not know comes first,
   * because only X1 brings the coins below it.
   */
  #order(): OwnCore[] {
    let rest = [...this.#known.values()].map(({ own }) => own).sort(inOrder);
    const leads = new Set(rest.map(({ lead }) => lead));
    const childless = leads.size === 1 && leads.has(this.lead);
    const unknown = ({ list }: OwnCore): boolean => list.some(({ name, request }) => request.transfer !== undefined && !this.#known.has(name));
    const asFirst = (one: OwnCore, other: OwnCore): number =>
      Number(unknown(other)) - Number(unknown(one)) ||
      (childless ? below(other) - below(one) : 0) ||
      Number(leads.has(other.nextSerial)) - Number(leads.has(one.nextSerial)) ||
      inOrder(one, other);
    const order: OwnCore[] = [];
    const taken = new Set([this.lead]);
    for (;;) {
      const related = rest.filter(({ lead }) => taken.has(lead));
      const child = related.find(({ lead, isRecover }) => !isRecover && lead !== this.lead);
      const first = order.length === 0 ? related.filter(({ lead }) => lead === this.lead).sort(asFirst)[0] : undefined;
      const next = first ?? child ?? related[0];
      if (next === undefined) return order;
      rest = rest.filter((one) => one !== next);
      taken.add(next.nextSerial);
      order.push(next);
    }
  }
}

/** What each authority signed of a serial number. None counts twice. */
function answersAbout(serial: bigint, signed: readonly SignedStates[]): ReadonlyMap<bigint, string | undefined> {
  const answers = new Map<bigint, string | undefined>();
  for (const { authority, states } of signed) {
    const state = states.find((one) => one.serial === serial);
    if (state === undefined) continue;
    demand(!answers.has(authority), 'gateway-misbehaved', 'two answers of one authority about a coin');
    answers.set(authority, state.core && toHex(state.core));
  }
  return answers;
}

function holds(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch (e) {
    if (e instanceof Refusal) return false;
    throw e;
  }
}
