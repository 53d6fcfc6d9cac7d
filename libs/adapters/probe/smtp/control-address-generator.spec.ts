import { KeyRing, TokenSignerService } from '@platform/secrets';
import { ControlAddressGenerator } from './control-address-generator';

const names = (fill: number): ControlAddressGenerator =>
  new ControlAddressGenerator(new TokenSignerService(KeyRing.parse(`k1:${Buffer.alloc(32, fill).toString('base64')}`)));

describe('ControlAddressGenerator', () => {
  it('gives a domain the same local part each time, in each process with the same key', () => {
    expect(names(1).at('example.com')).toBe(names(1).at('example.com'));
  });

  it('gives each domain and each installation a different local part', () => {
    const all = [names(1).at('a.example'), names(1).at('b.example'), names(2).at('a.example')];
    expect(new Set(all).size).toBe(3);
  });

  it('is a plain local part of 100 bits that does not contain the domain', () => {
    expect(names(1).at('a.example')).toMatch(/^[0-9a-v]{20}$/);
  });
});
