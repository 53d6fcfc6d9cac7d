export { FakeProbeDriver, type ScriptedAnswer } from '../fake/fake-probe.driver';
export { HandTimer } from './hand-timer';
export { type MailboxState, MxServer, type MxOptions, POSTFIX, type Tongue } from './mx-server';
export { getProbe, type ProbeOverrides } from './probe-harness';
