/*
 * What the suites use of Node, for a page: files come from the test server, which serves the
 * checkout at / and the shared vectors, where there are any, at /shared/vectors.
 */
import { Buffer } from 'buffer';

const request = (method: string, path: string | URL): XMLHttpRequest => {
  const exchange = new XMLHttpRequest();
  exchange.open(method, path, false);
  exchange.send();
  return exchange;
};

export function existsSync(path: string): boolean {
  return request('HEAD', `${path}/README.md`).status === 200;
}

export function readFileSync(path: string | URL): string {
  const { status, responseText } = request('GET', path);
  if (status !== 200) throw new Error(`no file ${String(path)}`);
  return responseText;
}

export const fileURLToPath = (url: URL): string => url.pathname;

export const process = { env: {} as Record<string, string>, version: 'in a page' };

export { Buffer };
