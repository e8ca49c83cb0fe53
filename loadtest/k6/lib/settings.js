// What a run is told, by -e NAME=VALUE. None of it is a secret, and none of it is in the summary.
const SECONDS_OF_SUBMIT = 30; // the gateway answers within 25

export const settings = {
  url: __ENV.SOLIDUS_URL || 'http://127.0.0.1:8080',
  // hands out transfers, each once: ./solidus load feed
  feed: __ENV.SOLIDUS_FEED || 'http://127.0.0.1:7070',
  // how many transfers are fetched at a time; those that a VU has left at the end are never sent
  batch: Number(__ENV.SOLIDUS_BATCH || 4),
  rate: Number(__ENV.SOLIDUS_RATE || 0),
  // all phases together; 0 for as long as the scenario says
  seconds: Number(__ENV.SOLIDUS_SECONDS || 0),
  seed: __ENV.SOLIDUS_SEED || '1',
  maxVus: Number(__ENV.SOLIDUS_MAX_VUS || 1500),
  // how often a refused payment is sent in all
  attempts: Number(__ENV.SOLIDUS_ATTEMPTS || 3),
  summary: __ENV.SOLIDUS_SUMMARY || 'summary.json',
  timeout: `${SECONDS_OF_SUBMIT}s`,
};
