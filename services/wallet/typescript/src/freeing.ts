import { at, toHex } from './bytes.js';
import { core } from './digests.js';
import { limitsOf, verifyBesideProof, verifyEvidence, type EvidenceOf, type Prove } from './evidence.js';
import type { CoinState, SignedStates, TransferRequest } from './gateway.js';
import type { ComplianceCoin } from './hash.js';
import type { WalletKeys } from './keys.js';
import { recoverRequest, transferRequest, writeBody, type RecoverRequest } from './messages.js';
import type { TransferPlan } from './plan.js';
import { reopenRecover, type OwnRecover } from './recover.js';
import {
  covers,
  draftRecover,
  manyOf,
  ownRecover,
  ownTransfer,
  proveRecover,
  verifiesRecover,
  withEvidence,
  type OwnCore,
  type RecoverOf,
  type RequestBelow,
} from './recovering.js';
import { demand, Refusal } from './refusal.js';
import type { Rules } from './rules.js';
import type { Floors } from './states.js';

// What a wallet knows of an account that its own cores lock, and the recover over all of it (W-10).

/** The most serial numbers of one question. */
const ASKED = 64;
/** The requests of one core that are kept: a liar may show any number of them. */
const MAX_VARIANTS = 16;
/** Choices among them that a recover is sent with. */
export const MAX_CHOICES = 32;

/** What a graph needs of its wallet. */
export interface GraphOf {
  readonly evidence: EvidenceOf;
  readonly recover: RecoverOf;
  readonly f: number;
  readonly keys: WalletKeys;
  /** Whether the owner has what may have completed burnt, too. */
  readonly evenIfPaid: boolean;
  serial(rho: bigint): bigint;
  /** The plan of a request that is this wallet's own and spends the coin. */
  reopen(coin: ComplianceCoin, request: TransferRequest): TransferPlan | undefined;
  /** Whether the wallet gave the transfer up (W-09). */
  gaveUp(name: string): boolean;
  /** What the authorities say for a nonce that is drawn for this question; only answers whose signatures hold. */
  ask(serials: readonly bigint[], coinOf: (serial: bigint) => ComplianceCoin | undefined): Promise<{ readonly states: readonly CoinState[]; readonly signed: readonly SignedStates[] }>;
  rules(): Promise<Rules>;
  readonly prove: Prove;
}

interface KnownTransfer {
  readonly own: OwnCore;
  readonly plan: TransferPlan;
  /** They differ in their evidence; those whose proof verifies come first. */
  readonly requests: readonly TransferRequest[];
  /** How many of them have a proof that verifies; that of the others is under rules that the wallet does not have. */
  readonly verified: number;
}

/** What shown evidence is worth. */
type Judgement = 'verified' | 'unproved' | 'refused';

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
  /** What each authority signed of a serial number. */
  readonly #answers = new Map<bigint, ReadonlyMap<bigint, Said>>();
  /** The floors that each authority signed last. */
  readonly #floors = new Map<bigint, Floors>();
  /** The texts of transfers that were judged, and of recovers that were rejected or forgotten: each look shows them again. */
  readonly #judged = new Set<string>();
  /** Which of the shown requests of transfers a recover shows, counted through all of them. */
  #choice = 0;
  #rules: Rules | undefined;

  constructor(of: GraphOf, tip: ComplianceCoin) {
    this.#of = of;
    this.lead = of.serial(tip.rho);
    this.#coins.set(this.lead, tip);
  }

  /** The cores, and the coins that others hold: a round that changes neither is the last one. */
  knowledge(without = ''): string {
    const known = [...this.#known.values()].filter(({ own }) => own.name !== without);
    const names = known.map((one) => `${one.own.name}/${'plan' in one ? one.requests.length : 0}`);
    return [...names, ...[...this.elsewhere()].map(String)].sort().join();
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
    const { states, signed } = await this.#of.ask(serials, (serial) => this.#coins.get(serial));
    for (const { authority, floors } of signed) this.#floors.set(authority, floors);
    for (const serial of serials) {
      // an authority that holds a core holds it for good, also while it does not answer
      const before = [...(this.#answers.get(serial) ?? [])].filter(([, { holder }]) => holder !== undefined);
      this.#answers.set(serial, new Map([...before, ...answersAbout(serial, signed)]));
    }
    for (const { requests, recovers = [] } of states) {
      for (const { request } of requests) await this.addTransfer(request);
      for (const { request } of recovers) await this.addRecover(request);
    }
  }

  /** Adds a transfer of this wallet that spends the lead or a successor. One of which no request verifies counts for nothing. */
  async addTransfer(request: TransferRequest): Promise<void> {
    const spent = this.#coins.get(at(request.statement.serials, 0));
    if (spent === undefined) return;
    const name = toHex(core(this.#of.evidence.network, request.statement));
    if (this.#isOver(name, request) || !this.#isNew(writeBody(transferRequest, request))) return;
    const before = this.#known.get(name);
    const known = before !== undefined && 'plan' in before ? before : undefined;
    const plan = known?.plan ?? this.#of.reopen(spent, request);
    if (plan === undefined) return;
    const judgement = await this.#judge(request);
    if (judgement === 'refused') return;
    const [requests, verified] = [known?.requests ?? [], known?.verified ?? 0];
    const isVerified = judgement === 'verified';
    const place = isVerified ? verified : requests.length;
    const all = [...requests.slice(0, place), request, ...requests.slice(place)].slice(0, MAX_VARIANTS);
    const { network } = this.#of.evidence;
    const own = ownTransfer(network, this.#of.keys, plan, at(all, 0).evidence);
    this.#put({ own, plan, requests: all, verified: Math.min(verified + (isVerified ? 1 : 0), MAX_VARIANTS) });
    this.#choice = 0;
  }

  /**
   * Whether the wallet gave the transfer up, and it never completes (W-09): 2f + 1 authorities sign that its lead is free or floors above
   * its period, or nobody signs that he holds it. Who alone shows it may not make a recover burn its amount.
   */
  #isOver(name: string, { statement }: TransferRequest): boolean {
    if (!this.#of.gaveUp(name)) return false;
    const lead = at(statement.serials, 0);
    const above = [...this.#floors.values()].filter(({ period }) => period > statement.period).length;
    return (lead === this.lead && this.leadIsFree) || above >= this.#quorum || !this.#holders(lead).includes(name);
  }

  /** Adds a recover of this wallet that spends the lead or a successor. Another request of one that is known waits until that is forgotten. */
  async addRecover(request: RecoverRequest): Promise<void> {
    const { keys, evidence, recover: of } = this.#of;
    const text = writeBody(recoverRequest, request);
    if (this.#judged.has(text)) return;
    for (const lead of this.#coins.keys()) {
      const opened = reopenRecover(evidence.network, keys, lead, request);
      if (opened === undefined) continue;
      if (this.#known.has(opened.id)) return;
      if (verifiesRecover(of, request) && (await this.#showsWhatHolds(request))) this.add(opened);
      else this.#judged.add(text);
      return;
    }
  }

  add(recover: OwnRecover): void {
    this.#put({ own: ownRecover(this.#of.evidence.network, this.#of.keys, recover), recover });
  }

  known(name: string): Known | undefined {
    return this.#known.get(name);
  }

  /** Forgets a recover that authorities refuse for its evidence; another one may show a better one. */
  forget(recover: OwnRecover): void {
    this.#judged.add(writeBody(recoverRequest, recover.request));
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

  async #showsWhatHolds({ below: list }: RecoverRequest): Promise<boolean> {
    for (const { transfer } of list) if (transfer !== undefined && (await this.#judge(transfer)) === 'refused') return false;
    return true;
  }

  /**
   * What the evidence is worth, as far as the wallet knows the rules that it names: a lying authority may have spoilt what it shows. Nobody
   * has proved under rules above the newest, nor with another circuit than the manifest names.
   */
  async #judge({ statement, evidence }: NonNullable<RequestBelow['transfer']>): Promise<Judgement> {
    const of = this.#of.evidence;
    const isAbove = ({ policy, checkpoint }: Rules): boolean => evidence.policyVersion > policy.version || evidence.checkpointVersion > checkpoint.version;
    this.#rules ??= await this.#of.rules();
    if (isAbove(this.#rules)) this.#rules = await this.#of.rules();
    const { policy, checkpoint, tree } = this.#rules;
    const isTransfer = statement.family === 'transfer';
    if (isAbove(this.#rules) || (isTransfer && evidence.circuitVersion !== of.circuit.version)) return 'refused';
    const known = isTransfer && evidence.policyVersion === policy.version && evidence.checkpointVersion === checkpoint.version;
    if (known) return holds(() => verifyEvidence(of, statement, evidence, limitsOf({ policy }), tree.root)) ? 'verified' : 'refused';
    return holds(() => verifyBesideProof(of, statement, evidence)) ? 'unproved' : 'refused';
  }

  /** Whether no known core spends the lead. */
  get isEmpty(): boolean {
    return this.#atLead().length === 0;
  }

  /** Whether 2f + 1 authorities signed that the lead is free. */
  get leadIsFree(): boolean {
    const answers = [...(this.#answers.get(this.lead)?.values() ?? [])];
    return answers.filter(({ holder }) => holder === undefined).length >= this.#quorum;
  }

  get #quorum(): number {
    return 2 * this.#of.f + 1;
  }

  #atLead(): Known[] {
    return [...this.#known.values()].filter(({ own }) => own.lead === this.lead);
  }

  /** What may still complete and is below no known recover, the one with most below it first, then one that may have completed. */
  get toSend(): readonly Known[] {
    const burnt = this.#burnt();
    return this.#atLead()
      .filter(({ own }) => !burnt.has(own.name))
      .sort((one, other) => below(other.own) - below(one.own) || Number(this.#isHeld(other)) - Number(this.#isHeld(one)) || byText(one.own.name, other.own.name));
  }

  /** The cores below a known recover. */
  #burnt(): ReadonlySet<string> {
    return new Set([...this.#known.values()].flatMap(({ own }) => own.list.slice(0, -1).map(({ name }) => name)));
  }

  /** Whether a core may be burnt. */
  isRefused(known: Known): boolean {
    return this.#neverCompletes(known) || (this.#of.evenIfPaid && this.isDoubtful(known));
  }

  /**
   * Whether a core has not completed and never does, unless authorities lie: f + 1 signed that another core has one of its serial numbers,
   * or 2f + 1 that they never take it, so that no f + 1 are left that could vote for it. The answers of the others need not be known, and a
   * gateway that leaves some out can only delay.
   */
  #neverCompletes(known: Known): boolean {
    return this.#conflicting(known).size > this.#of.f || this.#neverTake(known).size >= this.#quorum;
  }

  /** The authorities that signed that another core has one of its serial numbers. */
  #conflicting({ own }: Known): Set<bigint> {
    const all = new Set<bigint>();
    for (const serial of own.serials) {
      for (const [authority, { holder }] of this.#answers.get(serial) ?? []) if (holder !== undefined && !covers(own, holder)) all.add(authority);
    }
    return all;
  }

  /** The authorities that signed that they never take a core, but for votes of f + 1. */
  #neverTake(known: Known): ReadonlySet<bigint> {
    const all = this.#conflicting(known);
    for (const [authority, { holder, period }] of this.#answers.get(known.own.lead) ?? []) {
      if (holder === undefined && 'plan' in known && period > at(known.requests, 0).statement.period) all.add(authority);
    }
    return all;
  }

  /** Whether a core, and each one that it follows from, may have completed. */
  #mayComplete(known: Known): boolean {
    const { own } = known;
    const follows = (parent: Known): boolean => parent.own.nextSerial === own.lead && this.#mayComplete(parent);
    return !this.#neverCompletes(known) && (own.lead === this.lead || [...this.#known.values()].some(follows));
  }

  /**
   * The cores that a recover would burn although they may have completed, or although 2f + 1 authorities hold them where their owner has the
   * others burnt, too. What a known recover burns is not among them.
   */
  get waitedFor(): readonly Known[] {
    const burnt = this.#burnt();
    const waits = (known: Known): boolean => (this.#of.evenIfPaid ? this.#isHeld(known) && !this.#neverCompletes(known) : this.#mayComplete(known));
    return [...this.#known.values()].filter((known) => !burnt.has(known.own.name) && waits(known));
  }

  /**
   * Whether one authority signed that another core of this wallet holds one of its serial numbers, or f + 1 that they never take it: a
   * transfer that at most f honest ones hold, and whose period is over, does not complete without the others, and is not given up without
   * them. The gateway's word counts for nothing. One that 2f + 1 authorities hold is not doubtful: it may have completed.
   */
  isDoubtful(known: Known): boolean {
    const { own } = known;
    if (this.#isHeld(known)) return false;
    if (this.#neverTake(known).size > this.#of.f) return true;
    return own.serials.some((serial) => this.#holders(serial).some((holder) => !covers(own, holder) && this.#isFamily(holder)));
  }

  /** Whether 2f + 1 authorities signed for each of its serial numbers that it, or a core below it, holds it. */
  #isHeld({ own }: Known): boolean {
    return own.serials.every((serial) => this.#holders(serial).filter((holder) => covers(own, holder)).length >= this.#quorum);
  }

  #holders(serial: bigint): string[] {
    return [...(this.#answers.get(serial)?.values() ?? [])].flatMap(({ holder }) => (holder === undefined ? [] : [holder]));
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
   * @param made recovers that this wallet proved since it was opened; of each its own evidence is taken, and nothing that is below it
   */
  async recover(made: Map<string, OwnRecover>): Promise<OwnRecover> {
    const { keys, prove, recover: of } = this.#of;
    const elsewhere = this.elsewhere();
    const chosen = this.#chosen();
    const order = this.#order().map((own) => withChosen(own, chosen));
    const [first] = order;
    demand(first !== undefined, 'recover-impossible', 'no core is known');
    let last = first;
    let newest: OwnRecover | undefined;
    for (const own of order.length === 1 ? order : order.slice(1)) {
      if (order.length > 1 && covers(last, own.name)) continue;
      const draft = draftRecover(of.network, keys, last, own, elsewhere);
      const before = made.get(draft.name);
      newest = before === undefined ? await proveRecover(of, keys, draft, prove) : withEvidence(of, keys, draft, before.request.evidence);
      made.set(draft.name, newest);
      last = ownRecover(of.network, keys, newest);
    }
    if (newest !== undefined) return newest;
    const known = this.#known.get(first.name);
    demand(known !== undefined && 'recover' in known, 'recover-impossible', 'no core is known');
    return known.recover;
  }

  /** The evidence of each known transfer that a recover shows: one whose proof verifies, and else the one whose turn it is. */
  #chosen(): ReadonlyMap<string, RequestBelow> {
    const chosen = new Map<string, RequestBelow>();
    let rest = this.#choice;
    for (const one of [...this.#known.values()].sort((a, b) => byText(a.own.name, b.own.name))) {
      if (!('plan' in one)) continue;
      const size = variants(one);
      const { statement, evidence } = at(one.requests, rest % size);
      rest = Math.floor(rest / size);
      chosen.set(one.own.name, { transfer: { statement, evidence }, recover: undefined });
    }
    return chosen;
  }

  /** Goes on to the next choice of shown requests after a recover was refused for evidence. False when none is left. */
  chooseNext(): boolean {
    const all = [...this.#known.values()].reduce((product, one) => ('plan' in one ? product * variants(one) : product), 1);
    this.#choice++;
    return this.#choice < Math.min(all, MAX_CHOICES);
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

/** Among how many requests of a transfer a recover chooses. */
const variants = ({ requests, verified }: KnownTransfer): number => (verified > 0 ? 1 : requests.length);

/** The transfers below a core with the evidence that was chosen, whatever it was shown with. */
function withChosen(own: OwnCore, chosen: ReadonlyMap<string, RequestBelow>): OwnCore {
  return { ...own, list: own.list.map((entry) => ({ ...entry, request: chosen.get(entry.name) ?? entry.request })) };
}

/** What an authority signed of a serial number: the core that holds it, or none, and the oldest period that it takes. */
interface Said {
  readonly holder: string | undefined;
  readonly period: Floors['period'];
}

/** What each authority signed of a serial number. None counts twice. */
function answersAbout(serial: bigint, signed: readonly SignedStates[]): ReadonlyMap<bigint, Said> {
  const answers = new Map<bigint, Said>();
  for (const { authority, states, floors } of signed) {
    const state = states.find((one) => one.serial === serial);
    if (state === undefined) continue;
    demand(!answers.has(authority), 'gateway-misbehaved', 'two answers of one authority about a coin');
    answers.set(authority, { holder: state.core && toHex(state.core), period: floors.period });
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
