/*
 * The Chrome Web Store's interface, version 2, as .github/workflows/release.yml uses it:
 *
 *   node scripts/chrome-store.mjs publish PACKAGE.crx PERCENT    uploads, and submits for so many of the users
 *   node scripts/chrome-store.mjs rollout PERCENT                raises that share of the published version
 *
 * CHROME_PUBLISHER and CHROME_ITEM name the item; CHROME_CLIENT_ID, CHROME_CLIENT_SECRET and CHROME_REFRESH_TOKEN are
 * those of a person who may publish it.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { URLSearchParams } from 'node:url';
import { giveUp } from './run.mjs';

const SERVICE = 'https://chromewebstore.googleapis.com';
const TOKENS = 'https://oauth2.googleapis.com/token';
const POLL_MS = 5_000;
const POLLS = 60;

/** @param fetch as the platform's @param env with the variables above */
export function chromeStore(env, fetch, wait = pause) {
  const item = `publishers/${needed(env, 'CHROME_PUBLISHER')}/items/${needed(env, 'CHROME_ITEM')}`;

  async function answerOf(url, init) {
    const response = await fetch(url, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${new URL(url).pathname}: ${response.status} ${text}`);
    return text === '' ? {} : JSON.parse(text);
  }

  async function authorization() {
    const body = new URLSearchParams({
      client_id: needed(env, 'CHROME_CLIENT_ID'),
      client_secret: needed(env, 'CHROME_CLIENT_SECRET'),
      refresh_token: needed(env, 'CHROME_REFRESH_TOKEN'),
      grant_type: 'refresh_token',
    });
    const { access_token: token } = await answerOf(TOKENS, { method: 'POST', body });
    return { authorization: `Bearer ${token}` };
  }

  const post = (action, headers, body) =>
    answerOf(`${SERVICE}/v2/${item}:${action}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  async function upload(crx, headers) {
    const url = `${SERVICE}/upload/v2/${item}:upload`;
    let { uploadState: state } = await answerOf(url, { method: 'POST', headers, body: crx });
    for (let i = 0; i < POLLS && state === 'UPLOAD_IN_PROGRESS'; i++) {
      await wait(POLL_MS);
      const status = await answerOf(`${SERVICE}/v2/${item}:fetchStatus`, { headers });
      state = status.lastAsyncUploadState;
    }
    if (state !== 'SUCCEEDED') throw new Error(`the upload ended as ${state}`);
  }

  return {
    async publish(crx, percent) {
      const headers = await authorization();
      await upload(crx, headers);
      const deployInfos = [{ deployPercentage: percent }];
      return post('publish', headers, { deployInfos });
    },
    async rollout(percent) {
      return post('setPublishedDeployPercentage', await authorization(), {
        deployPercentage: percent,
      });
    },
  };
}

function needed(env, name) {
  if (env[name]) return env[name];
  throw new Error(`${name} is not set`);
}

if (import.meta.filename === process.argv[1]) {
  const [action, ...rest] = process.argv.slice(2);
  const percent = Number(rest.at(-1));
  if (!Number.isInteger(percent) || percent < 1 || percent > 100) giveUp('Give a share, 1 to 100');
  const store = chromeStore(process.env, fetch);
  if (action === 'publish') console.log(await store.publish(readFileSync(rest[0]), percent));
  else if (action === 'rollout') console.log(await store.rollout(percent));
  else giveUp('Give publish PACKAGE.crx PERCENT, or rollout PERCENT');
}
