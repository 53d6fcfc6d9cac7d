export { ConsentServer } from './consent-server';
