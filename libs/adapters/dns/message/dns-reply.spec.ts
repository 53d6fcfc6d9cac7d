import { type Answer } from 'dns-packet';
import { readDnsReply } from './dns-reply';

const QUESTION = { name: 'www.example.com', type: 'A' } as const;
const NS: Answer = { type: 'NS', name: 'example.com', ttl: 300, class: 'IN', data: 'ns.example.com' };

describe('an answer with name servers only', () => {
  const read = (authoritative: boolean) =>
    readDnsReply({ rcode: 0, authoritative, answers: [], authorities: [NS] }, QUESTION);

  it('is a negative answer from an authoritative server', () => {
    expect(read(true)).toEqual({ kind: 'nodata', ttl: 0 });
  });

  it('is a referral from any other server', () => {
    expect(read(false)).toMatchObject({ kind: 'refused' });
  });
});
