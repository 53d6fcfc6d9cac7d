export { FakeProbe, type ScriptedAnswer } from '../fake/fake.probe';
