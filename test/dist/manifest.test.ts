import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import reasons from '../../store/permissions.json' with { type: 'json' };

/*
 * What the extension may do, spelled out: a new permission, host or CSP word has to be written
 * here too, so that no change of them goes unread (SECURITY.md quotes this list).
 */
interface Manifest {
  permissions: string[];
  host_permissions?: string[];
  optional_permissions?: string[];
  optional_host_permissions: string[];
  content_scripts?: unknown;
  web_accessible_resources?: unknown;
  externally_connectable?: unknown;
  content_security_policy: { extension_pages: string };
  minimum_chrome_version?: string;
  browser_specific_settings?: Readonly<
    Record<'gecko' | 'gecko_android', { readonly strict_min_version: string }>
  >;
  version: string;
}

const read = (target: string) =>
  JSON.parse(readFileSync(`dist/${target}/manifest.json`, 'utf8')) as Manifest;

for (const target of ['chromium', 'firefox']) {
  describe(`the manifest for ${target}`, () => {
    const manifest = read(target);

    it('asks for these permissions and no others', () => {
      expect(manifest.permissions).to.have.members([
        'storage',
        'scripting',
        'activeTab',
        'alarms',
        'idle',
        'contextMenus',
        // Starts the worker that derives keys; Firefox needs no permission for one.
        ...(target === 'chromium' ? ['offscreen'] : []),
      ]);
      expect(manifest.optional_permissions).to.equal(undefined);
    });

    it('has a reason for the stores for each permission, and no reason without one', () => {
      const all = [...manifest.permissions, ...manifest.optional_host_permissions];
      const given = Object.keys(reasons).filter(
        (name) => target === 'chromium' || name !== 'offscreen',
      );
      expect(given).to.have.members(all);
      for (const reason of Object.values(reasons)) expect(reason.length).to.be.within(40, 1000);
    });

    it('is for Firefox for Android too, from the same version on', () => {
      const { gecko, gecko_android } = manifest.browser_specific_settings ?? {};
      expect(gecko_android).to.deep.equal(
        gecko && { strict_min_version: gecko.strict_min_version },
      );
      expect(gecko === undefined).to.equal(target === 'chromium');
    });

    it('names no publisher and no address for updates: stores add theirs', () => {
      for (const name of ['key', 'update_url']) expect(manifest).to.not.have.property(name);
    });

    it('reads no site until the user enables it', () => {
      expect(manifest.host_permissions).to.equal(undefined);
      expect(manifest.content_scripts).to.equal(undefined);
      expect(manifest.optional_host_permissions).to.deep.equal(['http://*/*', 'https://*/*']);
    });

    it('shows pages nothing to load and other extensions nothing to connect to', () => {
      expect(manifest.web_accessible_resources).to.equal(undefined);
      expect(manifest.externally_connectable).to.equal(undefined);
    });

    it('lets its own pages load only what is in the package, and no page frame them', () => {
      expect(manifest.content_security_policy.extension_pages).to.equal(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
          "img-src 'self'; connect-src 'self'; worker-src 'self'; frame-ancestors 'none'; " +
          "base-uri 'none'; form-action 'none'",
      );
    });

    it('asks for a browser that can close storage.local to content scripts, where one can', () => {
      const needed = target === 'chromium' ? '140' : undefined;
      expect(manifest.minimum_chrome_version).to.equal(needed);
    });

    it('has the version of package.json', () => {
      const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
      expect(manifest.version).to.equal(version);
    });
  });
}
