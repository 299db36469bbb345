/*
 * A collection on a Kinto server. Records are { id, payload, last_modified }: the payload is sealed,
 * and deletions are records like others.
 */

/** What Kinto takes in one batch unless it is configured otherwise. */
const BATCH = 25;

export function kintoServer({ address, name, password }) {
  const root = address.replace(/\/$/, '');
  const records = '/buckets/default/collections/notes/records';
  const headers = { authorization: `Basic ${base64(`${name}:${password}`)}` };

  async function batch(rows) {
    const requests = rows.map(({ id, payload, modified }) => ({
      method: 'PUT',
      path: `${records}/${id}`,
      // Refused (412) where another device has written since we looked.
      headers: modified ? { 'If-Match': `"${modified}"` } : { 'If-None-Match': '*' },
      body: { data: { payload } },
    }));
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
    const answer = await ask(`${root}/batch`, { ...init, body: JSON.stringify({ requests }) });
    const { responses } = await answer.json();
    return rows.flatMap((row, i) => stored(row, responses[i]));
  }

  return {
    async changesSince(since) {
      const changes = [];
      const query = since === undefined ? '' : `?_since=${encodeURIComponent(since)}`;
      let next = `${root}${records}${query}`;
      let until = since;
      while (next) {
        const answer = await ask(next, { headers });
        // Of the first page: whatever is written during the others is news of the next time.
        until = until === since ? answer.headers.get('etag') : until;
        changes.push(...(await answer.json()).data);
        next = answer.headers.get('next-page');
      }
      const ours = changes.filter(({ payload }) => typeof payload === 'string');
      return { changes: ours.map(changeOf), until };
    },

    /** @returns those that the server took */
    async store(rows) {
      const taken = [];
      for (let i = 0; i < rows.length; i += BATCH) {
        taken.push(...(await batch(rows.slice(i, i + BATCH))));
      }
      return taken;
    },
  };
}

const changeOf = ({ id, payload, last_modified: modified }) => ({ id, payload, modified });

function stored(row, { status, body }) {
  if (status === 412) return [];
  if (status >= 400) throw new Error(`The server refused a note (${status}).`);
  return [{ ...row, modified: body.data.last_modified }];
}

export async function ask(url, init) {
  const answer = await fetch(url, { cache: 'no-store', ...init });
  if (answer.status === 401) throw new Error('The server does not know this name and password.');
  if (!answer.ok && answer.status !== 412 && answer.status !== 404) {
    throw new Error(`The server answered ${answer.status}.`);
  }
  return answer;
}

export function base64(text) {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
