import { DnsServer } from '../testing/dns-server';
import { queryServer } from './exchange';
import { parseServerAddress } from './server-address';

const QUESTION = { name: 'www.example.com', type: 'A' } as const;

describe('one query to one server', () => {
  let server: DnsServer;
  beforeEach(async () => {
    server = await DnsServer.start({ 'www.example.com': { A: ['192.0.2.1'] } });
  });
  afterEach(() => server.close());

  /** @param left remaining milliseconds of the query at each try */
  const ask = (waitMs: number, ...left: number[]) => {
    const deadline = {
      get leftMs() {
        return left.shift() ?? 0;
      },
    };
    return queryServer(parseServerAddress(server.address), QUESTION, {
      waitMs,
      deadline,
      signal: new AbortController().signal,
    });
  };

  it('limits TCP to the time that UDP left of the query', async () => {
    server.does = ({ transport }) => (transport === 'udp' ? 'truncated' : 'drop');
    expect(await ask(10_000, 10_000, 40)).toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('over TCP within 40 ms') as string,
    });
  });

  it('limits the retry without EDNS to the remaining time of the query', async () => {
    server.does = ({ payloadOctets }) => (payloadOctets === null ? 'drop' : 'formerr');
    expect(await ask(10_000, 10_000, 40)).toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('within 40 ms') as string,
    });
  });

  it('limits the wait for each server, regardless of the remaining time', async () => {
    server.does = () => 'drop';
    expect(await ask(30, 10_000)).toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('within 30 ms') as string,
    });
  });
});
