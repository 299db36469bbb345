import { ask, base64 } from './kinto-server.js';

/*
 * A collection on a Weave server (Firefox Sync 1.1; the storage calls of 1.5 are the same behind
 * another login). Records are BSOs: { id, payload, modified }.
 */
export function weaveServer({ address, name, password }) {
  const storage = `${address.replace(/\/$/, '')}/1.1/${encodeURIComponent(name)}/storage`;
  const headers = { authorization: `Basic ${base64(`${name}:${password}`)}` };

  return {
    async changesSince(since = 0) {
      const query = new URLSearchParams({ full: '1', newer: since, sort: 'oldest' });
      const changes = await (await ask(`${storage}/notes?${query}`, { headers })).json();
      return { changes, until: changes.at(-1)?.modified ?? since };
    },

    /** All, or none where another device has written since `until`. @returns those that it took */
    async store(rows, until) {
      const body = JSON.stringify(rows.map(({ id, payload }) => ({ id, payload })));
      const answer = await ask(`${storage}/notes`, {
        method: 'POST',
        headers: { ...headers, 'x-if-unmodified-since': until },
        body,
      });
      if (answer.status === 412) return [];
      const { success } = await answer.json();
      return rows.filter(({ id }) => success.includes(id));
    },

    /** The account's crypto/keys record, or null where there is none yet. */
    async cryptoKeys() {
      const answer = await ask(`${storage}/crypto/keys`, { headers });
      return answer.status === 404 ? null : answer.json();
    },

    /**
     * @param modified of the record that it takes the place of; 0 for none
     * @returns it as stored, or null where another device was faster
     */
    async storeCryptoKeys({ id, payload }, modified) {
      const answer = await ask(`${storage}/crypto/keys`, {
        method: 'PUT',
        headers: { ...headers, 'x-if-unmodified-since': modified },
        body: JSON.stringify({ id, payload }),
      });
      return answer.status === 412 ? null : { id, payload, modified: await answer.json() };
    },
  };
}
