// The journeys of wallets. Each journey is one k6 iteration.
import { sleep } from 'k6';
import exec from 'k6/execution';
import { Counter, Rate, Trend } from 'k6/metrics';
import { chance, text } from './chance.js';
import { get, ok, post, refused, retryAfter, wrongAnswer } from './gateway.js';
import { settings } from './settings.js';
import { nextTransfer } from './supply.js';

const paymentTime = new Trend('payment_time', true);
const paymentFailed = new Rate('payment_failed');
const retries = new Counter('retries');

const PARCEL_CHARACTERS = 1600; // 1200 sealed bytes
const PAGE = 200;
const SHARE_OF_RESTORES = 0.05;
const MAX_PAGES = 50;

// State of this VU, like the state of a wallet between two uses.
let listVersion = null;
let listTag = null;
let readUpTo = null;

// Aborts the run if the gateway does not answer. Finds the end of the mailbox, the position of a wallet that has read everything.
export function setup() {
  const info = get('info', '/v1/info');
  if (info.status !== 200) {
    exec.test.abort(`the gateway at ${settings.url} answered ${info.status}`);
  }
  let after = 0;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const next = get('mailbox-read', `/v1/mailbox?after=${after}&limit=500`).json('next');
    if (next === after) {
      break;
    }
    after = next;
  }
  return { mailboxEnd: after };
}

// Pays: submits a transfer, reads its state and its certificate like a wallet that lost the answer, and posts the coin to the mailbox.
export function pay() {
  const next = chance();
  const transfer = nextTransfer();
  const signed = submit(transfer);
  paymentFailed.add(!signed);
  if (!signed) {
    return;
  }
  state(transfer);
  certificate(transfer);
  call('mailbox-post', post('mailbox-post', '/v1/mailbox', `{"blob":"${text(next, PARCEL_CHARACTERS)}"}`));
}

// A submitted transfer is final. After a temporary refusal the same request is repeated, when the platform allows it and not earlier.
function submit(transfer) {
  const begun = Date.now();
  for (let attempt = 1; ; attempt++) {
    const answer = post('submit', '/v1/transfers', transfer.body, { 'Idempotency-Key': transfer.core });
    if (answer.status === 200) {
      if (answer.json('core') !== transfer.core) {
        wrongAnswer('submit');
        return false;
      }
      paymentTime.add(Date.now() - begun);
      return true;
    }
    refused('submit', answer);
    const wait = retryAfter(answer);
    if (wait === null || attempt >= settings.attempts) {
      return false;
    }
    retries.add(1);
    sleep(wait);
  }
}

function state(transfer) {
  const answer = call('state', post('state', '/v1/coins/state', `{"serials":["${transfer.lead}"]}`));
  if (answer !== null && (answer.json('states.0.status') !== 'signed' || answer.json('states.0.core') !== transfer.core)) {
    wrongAnswer('state');
  }
}

function certificate(transfer) {
  const answer = call('certificate', get('certificate', `/v1/transfers/${transfer.core}?lead=${transfer.lead}`));
  if (answer !== null && answer.json('core') !== transfer.core) {
    wrongAnswer('certificate');
  }
}

// Reads the network's data, the rules and the sanction list. An unchanged list is not transferred again.
export function look() {
  call('info', get('info', '/v1/info'));
  if (listVersion === null) {
    call('keys', get('keys', '/v1/keys'));
  }
  call('policy', get('policy', '/v1/policy'));
  const checkpoint = call('checkpoint', get('checkpoint', '/v1/sanctions/checkpoint'));
  if (checkpoint === null) {
    return;
  }
  const version = /^version:? (\d+)$/m.exec(checkpoint.body);
  if (version === null) {
    wrongAnswer('checkpoint');
    return;
  }
  list(version[1]);
}

function list(version) {
  const known = version === listVersion;
  const headers = known ? { 'If-None-Match': listTag } : {};
  const answer = call('list', get('list', `/v1/sanctions/checkpoints/${version}/list`, headers, 'none'));
  if (answer === null) {
    return;
  }
  if (answer.status !== (known ? 304 : 200)) {
    wrongAnswer('list');
  }
  listVersion = version;
  listTag = answer.headers.Etag || answer.headers.ETag;
}

// Reads the mailbox from this wallet's position, or from the start after a restore.
export function read(data) {
  const next = chance();
  if (readUpTo === null) {
    readUpTo = next() < SHARE_OF_RESTORES ? 0 : data.mailboxEnd;
  }
  const answer = call('mailbox-read', get('mailbox-read', `/v1/mailbox?after=${readUpTo}&limit=${PAGE}`));
  if (answer !== null) {
    const end = answer.json('next');
    if (typeof end !== 'number' || end < readUpTo) {
      wrongAnswer('mailbox-read');
    } else {
      readUpTo = end;
    }
  }
}

// Returns the answer, or null after a refusal. Wallets repeat such calls later.
function call(route, answer) {
  if (ok(answer)) {
    return answer;
  }
  refused(route, answer);
  return null;
}
