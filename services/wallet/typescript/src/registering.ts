import { at, equal } from './bytes.js';
import { core, type Register } from './digests.js';
import type { CircuitKey, Prove } from './evidence.js';
import type { Gateway, RegistrationRequest, SignedAnswer } from './gateway.js';
import type { ComplianceCoin } from './hash.js';
import { ask, type Transport } from './http.js';
import { makeRegistration } from './issuing.js';
import type { Of } from './json.js';
import type { WalletKeys } from './keys.js';
import { openedCase, person, registrationCase, registrationInfo, registrationMembers, submission, writeBody } from './messages.js';
import type { Network } from './network.js';
import { parseNote, readText } from './notes.js';
import { encodeParcel, sealParcel, type Parcel } from './parcel.js';
import { planRegistration, type Plan } from './plan.js';
import { demand, refusedAs } from './refusal.js';
import type { Signature } from './signatures.js';
import { unposted, type Delivery, type OpenedCase, type Store } from './store.js';

// From a person's details to the first compliance coin (F-19, F-22, page 6).

/** What the registration service wants to know of a person. The wallet keeps none of it. */
export type Person = Of<typeof person>;

/** A bank whose customer an applicant may become. */
export type Bank = Of<typeof registrationInfo>['banks'][number];

/**
 * How far a registration is, as the wallet's storage has it:
 *
 * - `none`: nothing was asked for. `register`.
 * - `unsent`: the request is made, and no case is known. `register` again; the same person and request get the same case.
 * - `pending`: officers have to decide. `collectRegistration` now and then.
 * - `refused`: with a code and a sentence of the service. `register` with corrected details.
 * - `registered`: there is a compliance coin.
 */
export type Stage = 'none' | 'unsent' | 'pending' | 'refused' | 'registered';

export interface Registration {
  readonly stage: Stage;
  /** Of a refusal: a code of F-22, and a sentence for it. */
  readonly reasonCode?: string;
  readonly reason?: string;
}

/** What a registration needs of the wallet. */
export interface RegistrarOf {
  readonly network: Network;
  readonly keys: WalletKeys;
  readonly circuit: () => CircuitKey;
  readonly store: Store;
  readonly gateway: Gateway;
  /** The wallet's part of the mailbox; none where there are no parts. */
  readonly bucket: bigint | undefined;
  /** The registration service. */
  readonly service: Transport | undefined;
  readonly prove: Prove;
  /** Tries again what may succeed later. */
  readonly again: <T>(step: () => Promise<T>) => Promise<T>;
  readonly signatures: (plan: Plan<Register>, answer: SignedAnswer) => readonly Signature[];
}

/** The wallet's registration and the coin that it gives. Both follow from the phrase. */
export function firstCoin(network: Network, keys: WalletKeys): { readonly plan: Plan<Register>; readonly coin: ComplianceCoin } {
  const plan = planRegistration(network, keys);
  const { rho } = at(plan.outputs, 0);
  return { plan, coin: { apk: keys.apk, rho, period: 0n, sent: 0n, count: 0n, held: 0n, com: 0n } };
}

export class Registrar {
  readonly #of: RegistrarOf;

  constructor(of: RegistrarOf) {
    this.#of = of;
  }

  get state(): Registration {
    const { compliance, registration } = this.#of.store.state;
    if (compliance !== undefined) return { stage: 'registered' };
    if (registration === undefined) return { stage: 'none' };
    const { opened, refused } = registration;
    if (opened === undefined) return { stage: 'unsent' };
    return refused === undefined ? { stage: 'pending' } : { stage: 'refused', ...refused };
  }

  get #service(): Transport {
    const { service } = this.#of;
    demand(service !== undefined, 'not-supported', 'the host has no transport to the registration service');
    return service;
  }

  async banks(): Promise<readonly Bank[]> {
    const info = await ask(this.#service, registrationInfo, { method: 'GET', path: '/v1/registration/info' });
    demand(info.networkId === this.#of.network.id, 'network-mismatch', 'the registration service is another network’s');
    return info.banks;
  }

  /** Asks for a case, unless one waits or is decided well, and takes what is ready. The request is on disk before its first byte leaves. */
  async register(who: Person, bank: string | undefined): Promise<Registration> {
    const { store } = this.#of;
    person.write(who);
    const service = this.#service;
    if (store.state.registration?.opened !== undefined) {
      const found = await this.collect();
      if (found.stage !== 'refused' && found.stage !== 'none') return found;
    }
    if (store.state.compliance !== undefined) return this.state;
    const request = await this.#request();
    const body = writeBody(submission, { person: who, registration: registrationMembers(request), bank });
    const opened = await ask(service, openedCase, { method: 'POST', path: '/v1/registrations', body });
    const { caseId, accessToken } = opened;
    const tag = this.#of.keys.caseTag(caseId, accessToken);
    const copy = this.#copy({ kind: 'registration-case', caseId, accessToken, tag });
    await store.update({ registration: { request, opened, refused: undefined }, deliveries: [...store.state.deliveries, copy] });
    return this.collect();
  }

  /** Asks what became of the case, and gets the coin when it is approved. */
  async collect(): Promise<Registration> {
    const { store } = this.#of;
    const { compliance, registration } = store.state;
    if (compliance !== undefined || registration?.opened === undefined) return this.state;
    const { caseId, accessToken } = registration.opened;
    const path = `/v1/registrations/${encodeURIComponent(caseId)}`;
    const found = await ask(this.#service, registrationCase, { method: 'GET', path, headers: { 'X-Case-Token': accessToken } });
    // A status that nobody knows is an undecided one (F-22).
    if (found.status === 'refused') {
      const refused = { reasonCode: found.reasonCode ?? '', reason: found.reason ?? '' };
      await store.update({ registration: { ...registration, refused } });
    } else if (found.status === 'approved') {
      demand(found.attestationNote !== undefined, 'gateway-misbehaved', 'an approved case without an attestation');
      await this.#finish(found.attestationNote);
    }
    return this.state;
  }

  async #finish(note: string): Promise<void> {
    const { network, keys, store, gateway, again, signatures } = this.#of;
    const { plan, coin } = firstCoin(network, keys);
    const id = core(network, plan.statement);
    const attested = refusedAs('attestation-invalid', () => readText(network, 'attestation', parseNote(note).text));
    if (!equal(attested['register-core'], id)) {
      // A copy that the mailbox had is none (W-05), and the service answers for what this file asked.
      demand(store.state.registration?.request === undefined, 'attestation-invalid', 'the attestation is for another registration');
      return store.update({ registration: undefined });
    }
    const request = await this.#request();
    const answer = await again(() => gateway.submitRegistration(id, request, note));
    const signature = at(signatures(plan, answer), 0);
    const copy = this.#copy({ kind: 'first-signature', signature });
    const registered = store.state.registration?.opened;
    await store.update({ compliance: { coin, signature }, registration: undefined, registered, deliveries: [...store.state.deliveries, copy] });
  }

  /** The stored request, or a new one that is stored. Every one has the same core. */
  async #request(): Promise<RegistrationRequest> {
    const { network, keys, store, circuit, prove } = this.#of;
    const known = store.state.registration;
    if (known?.request !== undefined) return known.request;
    const request = await makeRegistration({ network, circuit: circuit() }, keys, firstCoin(network, keys).plan, prove);
    await store.update({ registration: { refused: undefined, opened: undefined, ...known, request } });
    return request;
  }

  /** A message to this wallet itself, for a restore. */
  #copy(parcel: Parcel): Delivery {
    const { network, keys, bucket } = this.#of;
    const blob = sealParcel(network, keys.encryptionKey, encodeParcel(parcel));
    return unposted({ transfer: undefined, copy: undefined, blob, bucket });
  }

  /** Whether the copy of a case in the mailbox is this wallet's (W-05). */
  isOwn({ caseId, accessToken }: OpenedCase, tag: Uint8Array): boolean {
    return equal(tag, this.#of.keys.caseTag(caseId, accessToken));
  }
}
