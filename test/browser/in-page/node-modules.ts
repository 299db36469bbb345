/*
 * What the suites use of Node, for a page: files come from the test server, which serves the
 * checkout at / and the packages of vectors that are installed at /<name of the package>.
 */
import { Buffer } from 'buffer';

const request = (method: string, path: string | URL): XMLHttpRequest => {
  const exchange = new XMLHttpRequest();
  exchange.open(method, path, false);
  exchange.send();
  return exchange;
};

/** In place of scripts/test-data.mjs. */
export function testDataFolder(name: string): string | undefined {
  return request('HEAD', `/${name}/__init__.py`).status === 200 ? `/${name}` : undefined;
}

export function readFileSync(path: string | URL): string {
  const { status, responseText } = request('GET', path);
  if (status !== 200) throw new Error(`no file ${String(path)}`);
  return responseText;
}

export const fileURLToPath = (url: URL): string => url.pathname;

export const process = { env: {} as Record<string, string>, version: 'in a page' };

export { Buffer };
