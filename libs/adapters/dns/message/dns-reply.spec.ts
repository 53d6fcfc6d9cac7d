import { type Answer } from 'dns-packet';
import { readReply } from './dns-reply';

const QUESTION = { name: 'www.example.com', type: 'A' } as const;
const NS: Answer = { type: 'NS', name: 'example.com', ttl: 300, class: 'IN', data: 'ns.example.com' };

describe('an answer that has name servers and nothing else', () => {
  const read = (authoritative: boolean) =>
    readReply({ rcode: 0, authoritative, answers: [], authorities: [NS] }, QUESTION);

  it('is that there is nothing, of a server that speaks for the zone', () => {
    expect(read(true)).toEqual({ kind: 'nodata', ttl: 0 });
  });

  it('is a referral of any other', () => {
    expect(read(false)).toMatchObject({ kind: 'refused' });
  });
});
