import { strict as assert } from 'node:assert';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { accepted, fetchTransport } from '../src/http.js';
import { openFile } from '../src/node/file.js';
import { fromUtf8, utf8 } from '../src/text.js';
import { fails, refused } from './refused.js';

describe('a wallet file', () => {
  let folder: string;
  before(async () => void (folder = await mkdtemp(join(tmpdir(), 'second-wallet-'))));
  after(() => rm(folder, { recursive: true }));

  it('is sealed, is for its owner only, and is what was written last', async () => {
    const path = join(folder, 'one');
    const file = await openFile(path, utf8('a passphrase'));
    assert.equal(await file.read(), undefined);
    await file.write(utf8('first words'));
    await file.write(utf8('second words'));
    await fails('store-locked', () => openFile(path, utf8('a passphrase')));
    await file.close();
    const content = await readFile(path);
    assert.equal(content.includes('words'), false);
    assert.equal((await stat(path)).mode & 0o777, 0o600);

    await fails('wrong-passphrase', () => openFile(path, utf8('another')));
    const again = await openFile(path, utf8('a passphrase'));
    assert.equal(fromUtf8((await again.read()) as Uint8Array), 'second words');
    await again.close();
    await writeFile(`${path}.lock`, '999999999'); // of a process that was killed
    await (await openFile(path, utf8('a passphrase'))).close();
  });

  it('that was changed, cut off or is of another program is refused', async () => {
    const path = join(folder, 'two');
    const file = await openFile(path, utf8('p'));
    await file.write(utf8('words'));
    await file.close();
    const content = await readFile(path);
    content[content.length - 20] = (content[content.length - 20] as number) ^ 1;
    await writeFile(path, content);
    await fails('wrong-passphrase', () => openFile(path, utf8('p')));
    await writeFile(path, content.subarray(0, 30));
    await fails('store-corrupt', () => openFile(path, utf8('p')));
    await writeFile(path, 'something else that is no wallet');
    await fails('store-version', () => openFile(path, utf8('p')));
  });
});

describe('HTTP', () => {
  let server: Server;
  let base: string;
  const get = (path: string, limit = 100) => fetchTransport(base, 500)({ method: 'GET', path, limit });

  before(async () => {
    server = createServer((request, response) => {
      switch (request.url) {
        case '/problem':
          return void response.writeHead(409).end('{"code":"serial-conflict","detail":"taken"}');
        case '/strange':
          return void response.writeHead(404).end('<html>');
        case '/broken':
          return void response.writeHead(502).end('');
        case '/elsewhere':
          return void response.writeHead(302, { Location: '/large' }).end();
        case '/silent':
          return void response.writeHead(200).write('x');
        default:
          return void response.end('x'.repeat(101));
      }
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('gives the code of a refusal, and one of its own where there is none', async () => {
    for (const [path, reason] of [['/problem', 'serial-conflict'], ['/strange', 'gateway-misbehaved'], ['/broken', 'unavailable']] as const) {
      const answer = await get(path);
      refused(reason, () => accepted(answer));
    }
  });

  it('reads no more than the limit, waits no longer than the timeout, follows nobody elsewhere', async () => {
    await fails('gateway-misbehaved', () => get('/large'));
    assert.equal((await get('/large', 101)).body.length, 101);
    await fails('gateway-unreachable', () => get('/silent'));
    await fails('gateway-unreachable', () => get('/elsewhere'));
  });

  it('is plain to this machine only', () => {
    for (const address of ['http://example.org', 'http://127.0.0.1.example.org', 'ftp://localhost']) refused('insecure-address', () => fetchTransport(address));
    for (const address of ['https://example.org', 'http://localhost:1', 'http://[::1]:1']) fetchTransport(address);
  });
});
