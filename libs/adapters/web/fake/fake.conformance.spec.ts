import { describeWebPages } from '../conformance/web.conformance';
import { FakePages } from './fake.pages';

describeWebPages('The fake', () => {
  const pages = new FakePages();
  const address = (path: string) => `http://fake.test${path}`;
  return Promise.resolve({
    pages,
    address,
    serves: (path, page) => pages.put(address(path), page),
    hangs: (path) => pages.fail(address(path), 'silence'),
    nowhere: () => {
      pages.fail('http://nowhere.test/', 'unreachable');
      return 'http://nowhere.test/';
    },
    close: () => Promise.resolve(),
  });
});
