// Settings of a run, from -e NAME=VALUE. None of them is secret, and none is in the summary.
const SECONDS_OF_SUBMIT = 30; // the gateway answers within 25

export const settings = {
  url: __ENV.SOLIDUS_URL || 'http://127.0.0.1:8080',
  // the feeder, which hands out each transfer once: ./solidus load feed
  feed: __ENV.SOLIDUS_FEED || 'http://127.0.0.1:7070',
  // transfers per request to the feeder; a VU never sends those left at the end
  batch: Number(__ENV.SOLIDUS_BATCH || 4),
  rate: Number(__ENV.SOLIDUS_RATE || 0),
  // duration of all phases together; 0 for the scenario's own
  seconds: Number(__ENV.SOLIDUS_SECONDS || 0),
  seed: __ENV.SOLIDUS_SEED || '1',
  maxVus: Number(__ENV.SOLIDUS_MAX_VUS || 1500),
  // maximum of submissions of one payment
  attempts: Number(__ENV.SOLIDUS_ATTEMPTS || 3),
  summary: __ENV.SOLIDUS_SUMMARY || 'summary.json',
  timeout: `${SECONDS_OF_SUBMIT}s`,
};
