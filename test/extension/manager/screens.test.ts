import { expect } from 'chai';
import {
  activityOfSite,
  siteOfAddress,
} from '../../../extension/ui/environment/manager-address.ts';
import { screenOf } from '../../../extension/manager/screens.ts';

describe('the manager’s address', () => {
  it('contains a screen and a site', () => {
    for (const origin of [
      'https://a.example',
      'http://localhost:8080',
      'https://xn--bcher-kva.de',
    ]) {
      const hash = `#${activityOfSite(origin)}`;
      expect(screenOf(hash)).to.equal('activity');
      expect(siteOfAddress(hash)).to.equal(origin);
    }
  });

  it('stands for the first screen and all sites if it names none', () => {
    expect(screenOf('')).to.equal('home');
    expect(screenOf('#nowhere?site=x')).to.equal('home');
    expect(siteOfAddress('#activity')).to.equal('');
  });
});
