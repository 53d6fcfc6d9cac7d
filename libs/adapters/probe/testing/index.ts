export { FakeProbe, type ScriptedAnswer } from '../fake/fake.probe';
export { HandTimer } from './hand.timer';
export { type MailboxState, MxServer, type MxOptions, POSTFIX, type Tongue } from './mx.server';
export { probeOf, type ProbeOverrides } from './probe.harness';
