import { inlineImages } from './inline-images';

const image = { cid: 'a@report', filename: 'a.png', png: Buffer.from('pixels'), alt: '', width: 1, height: 1 };

it('embeds each picture where the page refers to it, and changes nothing else', () => {
  const html = '<img src="cid:a@report"><p>cid:a@report $& $1</p><img src="cid:b@report">';
  expect(inlineImages({ html, images: [image] })).toBe(
    '<img src="data:image/png;base64,cGl4ZWxz"><p>cid:a@report $& $1</p><img src="cid:b@report">',
  );
});
