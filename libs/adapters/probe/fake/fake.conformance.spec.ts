import { describeMailboxProbe } from '../conformance/probe-conformance';
import { FakeProbeDriver, type ScriptedAnswer } from './fake-probe.driver';

const KIND_OF: Readonly<Record<string, ScriptedAnswer['kind']>> = {
  exists: 'accepted',
  full: 'full',
  disabled: 'disabled',
  greylisted: 'greylisted',
  blocked: 'refused_us',
};

describeMailboxProbe('The fake', () => {
  const probe = new FakeProbeDriver();
  return Promise.resolve({
    probe,
    hosts: ['mx.example.com'],
    has: (address, state) => probe.says(address, { kind: KIND_OF[state] ?? 'rejected' }),
    takesEverything: () => probe.takesEverything('example.com'),
    staysSilent: (address) => probe.says(address, 'silence'),
    deadline: () => new Date(),
    asked: () => probe.requests.map(({ address }) => address),
    close: () => Promise.resolve(),
  });
});
