import { toFailure } from '@platform/errors';
import { OutboundAddressService } from './outbound-address.service';
import { type HostLookup } from './dns-lookup';
import { OutboundError } from './outbound.errors';

const answering =
  (...addresses: string[]): HostLookup =>
  () =>
    Promise.resolve(addresses);
const failing =
  (code: string): HostLookup =>
  () =>
    Promise.reject(Object.assign(new Error(`query ${code}`), { code }));

function guardOf(lookup: HostLookup, allowPrivate = false): OutboundAddressService {
  return new OutboundAddressService({ allowPrivate, lookup });
}

async function refusalOf(guard: OutboundAddressService, host = 'receiver.example'): Promise<OutboundError> {
  try {
    await guard.resolve(host);
  } catch (error) {
    if (error instanceof OutboundError) return error;
    throw error;
  }
  throw new Error(`${host} was let through`);
}

describe('OutboundAddressService', () => {
  it('returns all addresses of a public name, in the order of the answer', async () => {
    expect(await guardOf(answering('2606:4700::1111', '1.1.1.1', '::ffff:8.8.8.8')).resolve('one.one')).toEqual([
      { address: '2606:4700::1111', family: 6 },
      { address: '1.1.1.1', family: 4 },
      { address: '8.8.8.8', family: 4 },
    ]);
  });

  it.each([
    [['127.0.0.1']],
    [['1.1.1.1', '10.0.0.1']],
    [['10.0.0.1', '1.1.1.1']],
    [['2606:4700::1111', '::1']],
    [['1.1.1.1', '::ffff:192.168.0.1']],
    [['1.1.1.1', 'no address at all']],
  ])('rejects a name that resolves to %j as a whole', async (addresses) => {
    const error = await refusalOf(guardOf(answering(...addresses)));
    expect(error).toMatchObject({ reason: 'address_refused', retry: false, code: 'ADDRESS_NOT_ALLOWED' });
    expect(toFailure(error)).toBe('permanent');
  });

  it('does not reveal a private address', async () => {
    expect((await refusalOf(guardOf(answering('10.1.2.3')))).message).toBe(
      'receiver.example resolves to an address that is not allowed (private)',
    );
  });

  it.each(['127.0.0.1', '[::1]', '0x7f.1', '2130706433', '169.254.169.254'])(
    'rejects %s without a lookup',
    async (host) => {
      const lookup = jest.fn(answering('1.1.1.1'));
      const guard = guardOf(lookup);
      expect((await refusalOf(guard, host)).reason).toBe('address_refused');
      expect(() => guard.refuseLiteral(host)).toThrow(OutboundError);
      expect(lookup).not.toHaveBeenCalled();
    },
  );

  it('returns a public address in canonical spelling, without a lookup', async () => {
    const guard = guardOf(failing('ENOTFOUND'));
    expect(await guard.resolve('0x01010101')).toEqual([{ address: '1.1.1.1', family: 4 }]);
    expect(() => guard.refuseLiteral('1.1.1.1')).not.toThrow();
    expect(() => guard.refuseLiteral('localhost')).not.toThrow();
  });

  it('allows private and loopback networks when the operator does, but never metadata addresses', async () => {
    expect(await guardOf(answering('127.0.0.1', 'fd00::1'), true).resolve('receiver.internal')).toHaveLength(2);
    expect((await refusalOf(guardOf(answering('127.0.0.1', '169.254.169.254'), true))).reason).toBe('address_refused');
  });

  it('uses the system resolver when private networks are allowed', async () => {
    const [first] = await new OutboundAddressService({ allowPrivate: true }).resolve('localhost');
    expect(['127.0.0.1', '::1']).toContain(first?.address);
  });

  it.each([
    ['ENOTFOUND', false],
    ['ENODATA', false],
    ['ESERVFAIL', true],
    ['ETIMEOUT', true],
    ['EAI_AGAIN', true],
    ['ECONNREFUSED', true],
  ])('marks a lookup error %s as retryable: %s', async (code, retry) => {
    const error = await refusalOf(guardOf(failing(code)));
    expect(error).toMatchObject({ reason: 'dns', retry, cause: { code } });
    expect(toFailure(error)).toBe(retry ? 'temporary' : 'permanent');
  });

  it('treats an empty answer as a name without an address', async () => {
    expect(await refusalOf(guardOf(answering()))).toMatchObject({ reason: 'dns', retry: false });
  });
});
