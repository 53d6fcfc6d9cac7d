import { sandboxDns } from '@testing';
import { type Platform, startPlatform } from '../harness';
import { CommandLine } from './command-line';

describe('the operator’s SPF evaluation of a sender', () => {
  let platform: Platform;
  let cli: CommandLine;

  beforeAll(async () => {
    platform = await startPlatform({ env: { DNS_SERVERS: sandboxDns() } });
    cli = CommandLine.sharing(platform, ['spf']);
  });
  afterAll(async () => {
    await cli.close();
    await platform.close();
  });

  it('prints the result, the mechanism that decided it and the cost of each term', async () => {
    const result = await cli.json('1.2.3.25', '--from', 'ada@demo.test');
    expect(result).toMatchObject({ result: 'pass', problem: null });
    expect(result).toMatchObject({ mechanism: 'ip4:1.2.3.25', trace: expect.any(Array) });
    expect(await cli.json('203.0.113.9', '--from', 'ada@demo.test')).toMatchObject({ result: 'fail' });
    expect(await cli.json('203.0.113.9', '--from', 'ada@careless.test')).toMatchObject({
      result: 'permerror',
      problem: { code: 'multiple_records' },
    });
    expect(await cli.json('203.0.113.9', '--helo', 'demo.test')).toMatchObject({ result: 'fail' });
  });

  it.each([
    [['192.0.2', '--helo', 'demo.test'], '"192.0.2" is no IP address'],
    [['1.2.3.25'], "give '--from <address>', '--helo <name>' or both"],
  ])('names the missing or invalid argument: %j', async (args, words) => {
    const { status, stderr } = await cli.run(args);
    expect(status).toBe(1);
    expect(stderr).toContain(words);
  });
});
