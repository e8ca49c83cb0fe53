import { measure } from './headers.js';

// In a worker, as the wallet.

const tell = async (path: string): Promise<void> => void (await fetch(path, { method: 'POST' }));

const clock = { start: () => tell('/start'), end: (kind: string, headers: number) => tell(`/end?kind=${kind}&headers=${headers}`) };

await measure(clock, { platform: 100, software: 10 }).then(
  () => tell('/done'),
  (e: unknown) => tell(`/failed?why=${encodeURIComponent(String(e))}`),
);
