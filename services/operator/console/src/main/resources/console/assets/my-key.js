// The page of an approver's key in this browser.
import { fingerprint, fromFile, load, make, publicText, remove } from './approver-key.js';

const subject = document.body.dataset.person;
const byId = (id) => document.getElementById(id);

function complain(error) {
  byId('key-problem').textContent = error.message || 'The browser refused.';
  byId('key-problem').hidden = false;
}

async function show() {
  const key = await load(subject);
  byId('have').hidden = !key;
  byId('lack').hidden = Boolean(key);
  if (key) {
    byId('have-name').textContent = key.name;
    byId('have-network').textContent = key.network;
    byId('have-public').textContent = publicText(key);
    byId('have-fingerprint').textContent = await fingerprint(key);
  }
}

function on(form, work) {
  byId(form).addEventListener('submit', async (event) => {
    event.preventDefault();
    byId('key-problem').hidden = true;
    try {
      await work();
      await show();
      byId(byId('have').hidden ? 'lack-h' : 'have-h').focus();
    } catch (e) {
      complain(e);
    }
  });
}

on('new-key', async () => {
  const owner = { subject, name: byId('name').value.trim(), network: byId('network').value.trim() };
  const [file] = byId('file').files;
  await (file ? fromFile(owner, file) : make(owner));
  byId('new-key').reset();
});

on('forget', async () => {
  await remove(subject);
  byId('forget').reset();
});

show().catch(complain);
