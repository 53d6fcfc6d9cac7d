export { decisive, ScriptedWork, unknown } from './scripted-work';
