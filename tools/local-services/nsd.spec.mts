import { nsdConfiguration } from './nsd.mts';

const settings = { port: 5353, zones: ['demo.test', '_x.127.in-addr.arpa'], zonesFolder: '/data/zones' };

describe('the configuration of NSD', () => {
  it('listens on loopback only, with no control port', () => {
    const text = nsdConfiguration(settings);
    expect(text.match(/^ {2}ip-address: .*$/gm)).toEqual(['  ip-address: 127.0.0.1@5353']);
    expect(text).toContain('remote-control:\n  control-enable: no');
  });

  it('maps each zone to its file', () => {
    expect(nsdConfiguration(settings)).toMatch(
      /zone:\n {2}name: "demo\.test"\n {2}zonefile: "demo\.test\.zone"\nzone:\n {2}name: "_x\.127\.in-addr\.arpa"\n/,
    );
  });

  it.each([
    '',
    'a..b',
    'a b',
    '../etc',
    'x"\nzone',
    'A.test',
    `${'a'.repeat(64)}.test`,
    `${'abcdefg.'.repeat(32)}test`,
  ])('rejects %j as a zone name', (zone) => {
    expect(() => nsdConfiguration({ ...settings, zones: [zone] })).toThrow('cannot be the name of a zone');
  });
});
