import { check } from './check.js';

check().then(
  (found) => postMessage(found),
  (error) => postMessage({ engines: {}, wrong: [String(error)] }),
);
