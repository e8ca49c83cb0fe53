import { measure } from './headers.js';

// Prints a line for each run, with what this process took of the processors.

let wall = 0;
let before = process.cpuUsage();

await measure(
  {
    start: async () => {
      before = process.cpuUsage();
      wall = performance.now();
    },
    end: async (kind, headers) => {
      const { user, system } = process.cpuUsage(before);
      console.log(JSON.stringify({ kind, headers, cpu: (user + system) / 1_000, wall: performance.now() - wall }));
    },
  },
  { platform: 100, software: 10 },
);
