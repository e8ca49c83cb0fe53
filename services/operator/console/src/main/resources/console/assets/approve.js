// Signs a mint with the approver's key in this browser. What is signed is made from what the page shows.
import { load, sign } from './approver-key.js';
import { encode, minorUnits, mintMessage } from './mint-statement.js';

const byId = (id) => document.getElementById(id);
const shown = (name) => document.querySelector(`[data-sign=${name}]`).textContent.trim();
const state = byId('key-state');
const form = byId('sign');
const confirm = byId('confirm');

function say(text) {
  state.textContent = text;
}

/** Minor units of what a person typed, or undefined. */
function typed(text) {
  const match = /^([0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.([0-9]{2}))?$/.exec(text.trim());
  return match ? BigInt(match[1].replace(/,/g, '') + (match[2] ?? '00')) : undefined;
}

async function approve(key, statement) {
  try {
    const signature = await sign(key, await mintMessage(statement));
    form.elements.approver.value = key.name;
    form.elements.signature.value = encode(signature);
    form.submit();
  } catch (e) {
    say(`Nothing was signed: ${e.message}.`);
  }
}

async function start() {
  const key = await load(document.body.dataset.person);
  if (!key) {
    state.replaceChildren('This browser has no key of yours. ', link('/my-key', 'Make or take one'), ', or use ./solidus approve.');
    return;
  }
  say(`Your key in this browser signs as ${key.name} on network ${key.network}.`);
  form.hidden = false;
  let statement;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    // read once: what is confirmed is what is signed
    statement = { network: key.network, mintId: shown('mintId'), amount: shown('amount'), cm: shown('cm'), k: shown('k') };
    if (typed(byId('found').value) !== minorUnits(statement.amount)) {
      say(`Nothing was signed: the mint is of ${statement.amount}, and another amount arrived.`);
      return;
    }
    byId('confirm-amount').textContent = statement.amount;
    byId('confirm-funding').textContent = shown('funding');
    byId('confirm-network').textContent = key.network;
    byId('confirm-name').textContent = key.name;
    confirm.showModal();
  });
  byId('confirm-no').addEventListener('click', () => confirm.close());
  byId('confirm-yes').addEventListener('click', () => {
    confirm.close();
    approve(key, statement);
  });
}

function link(path, text) {
  const a = document.createElement('a');
  a.href = path;
  a.textContent = text;
  return a;
}

start().catch((e) => say(`The key cannot be used: ${e.message}.`));
