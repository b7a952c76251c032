import { describe, expect, test } from '@jest/globals';
import { functionsOf } from '../../../bin/local/gateway.ts';
import { findProgram } from '../../../functions/kernel/accounts/table/programs.ts';
import { findLogo } from '../../../functions/program/table/logo.ts';
import { readResources } from '../../../functions/program/table/resources.ts';
import { DRIVERS, NO_SECRETS, partsOf, sendToHandlers, useGateway } from '../../support/drivers.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { anAdvocate, aProgram, aToken, newId } from '../../support/program.ts';
import { outcomeOf } from '../../support/responses.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
const { url } = useGateway(functionsOf(table.connection, partsOf(NO_SECRETS)));

/** Pictures by their first bytes, which are all that the service reads. The rest is not valid UTF-8. */
const picture = (start: string, size = 64) => Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(size, 0xff)]);
const PNG = picture('\x89PNG\r\n\x1a\n');
const JPEG = picture('\xff\xd8\xff\xe0');
const WEBP = picture('RIFF\x24\x00\x00\x00WEBPVP8 ');
const upload = (token: string, bytes: Uint8Array) =>
  ({ operation: 'putLogo', token, body: { image: Buffer.from(bytes).toString('base64') } }) as const;

/** Requests a logo as a browser does. */
async function download(publicKey: string, query = '') {
  const response = await fetch(`${url()}/v2/logo/${publicKey}${query}`);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

async function aMerchant() {
  const program = await aProgram(table);
  return { program, token: await aToken(table, program) };
}

describe.each(DRIVERS)('the logo through %s', (_, connect) => {
  const send = connect(table);

  test.each([
    ['image/png', PNG],
    ['image/jpeg', JPEG],
    ['image/webp', WEBP],
  ])(
    'a browser gets the bytes of %s that were uploaded, for an hour, and never as another type',
    async (type, bytes) => {
      const { program, token } = await aMerchant();
      const { status, json } = await send(upload(token, bytes));
      const { logo_version: version } = json.data.attributes;
      expect([status, json]).toEqual([
        200,
        {
          data: {
            id: program.id,
            type: 'logo',
            attributes: { logo_version: expect.stringMatching(/^[0-9a-f]{16}$/), media_type: type },
          },
        },
      ]);
      for (const query of ['', `?v=${version}`, '?v=0123456789abcdef']) {
        const got = await download(program.publicKey, query);
        expect(got.bytes).toEqual(bytes);
        expect([got.response.status, Object.fromEntries(got.response.headers)]).toMatchObject([
          200,
          {
            'content-type': type,
            'content-length': String(bytes.length),
            'cache-control': 'public, max-age=3600',
            'x-content-type-options': 'nosniff',
            'x-request-id': expect.any(String),
          },
        ]);
      }
    },
  );

  test('the program and its affiliates see the version, which another picture changes and a deletion clears', async () => {
    const { program, token } = await aMerchant();
    const affiliate = await aToken(table, program, await anAdvocate(table, program));
    const shown = async () => {
      const own = sendToHandlers(table);
      const [merchant, advocate] = [
        await own({ operation: 'getProgram', token }),
        await own({ operation: 'getAffiliate', token: affiliate }),
      ];
      return [merchant.json.data.attributes.logo_version, advocate.json.data.attributes.program.logo_version];
    };
    expect(await shown()).toEqual([null, null]);
    const versions = [];
    for (const bytes of [PNG, JPEG]) {
      const { json } = await send(upload(token, bytes));
      versions.push(json.data.attributes.logo_version);
      expect(await shown()).toEqual([versions.at(-1), versions.at(-1)]);
    }
    expect(new Set(versions).size).toBe(2);
    for (const _ of ['first', 'repeated']) {
      expect((await send({ operation: 'deleteLogo', token })).status).toBe(204);
      expect(await shown()).toEqual([null, null]);
      expect((await download(program.publicKey)).response.status).toBe(404);
    }
  });

  test('a repeated upload writes nothing', async () => {
    const { token } = await aMerchant();
    const first = await send(upload(token, PNG));
    await expectUnchanged(table, async () => expect((await send(upload(token, PNG))).json).toEqual(first.json));
  });

  test('a picture of 64 KiB is stored, and one with a byte more is refused', async () => {
    const { program, token } = await aMerchant();
    const largest = picture('\x89PNG\r\n\x1a\n', 64 * 1024 - 8);
    expect((await send(upload(token, largest))).status).toBe(200);
    expect((await download(program.publicKey)).bytes).toEqual(largest);
    const refused = await send(upload(token, Buffer.concat([largest, Buffer.from('x')])));
    expect(outcomeOf(refused).slice(0, 2)).toEqual([400, 'invalid_field']);
  });

  test.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')],
    ['HTML', Buffer.from('<!doctype html>').toString('base64')],
    ['a GIF', Buffer.from('GIF89a').toString('base64')],
    ['a PNG in base64url', '_9j_4A=='],
    ['a JPEG without padding', JPEG.toString('base64').replace(/=+$/, '').slice(0, -1)],
    ['a data address', `data:image/png;base64,${PNG.toString('base64')}`],
    ['RIFF of another kind', Buffer.from('RIFF\x24\x00\x00\x00WAVEfmt ').toString('base64')],
    ['a number', 7],
  ])('%s is refused, and changes nothing', async (_name, image) => {
    const { token } = await aMerchant();
    await send(upload(token, PNG));
    await expectUnchanged(table, async () => {
      const [status, code, error] = outcomeOf(await send({ operation: 'putLogo', token, body: { image } }));
      expect([status, code]).toEqual([400, 'invalid_field']);
      expect(error).toMatch(/^image must be /);
    });
  });
});

describe('the logo for anyone', () => {
  test('an unknown key, a malformed one and a program without a logo get the same 404', async () => {
    const { program } = await aMerchant();
    const unknown = `pk_${newId().replaceAll('-', '')}`;
    const texts = await Promise.all(
      [program.publicKey, unknown, 'pk_1', '%00'].map(async (key) => {
        const { response, bytes } = await download(key);
        expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
        return bytes.toString();
      }),
    );
    expect(new Set(texts)).toEqual(new Set(['{"error":"Logo not found"}']));
  });

  test('a malformed version and an unknown parameter return 400', async () => {
    const { program } = await aMerchant();
    for (const query of ['?v=', '?v=latest', '?v=0123456789abcdef&v=0123456789abcdef', '?version=1']) {
      expect([query, (await download(program.publicKey, query)).response.status]).toEqual([query, 400]);
    }
  });
});

describe('the logo under stress', () => {
  const send = sendToHandlers(table);

  /** The version in the program, and the picture beside it, which must belong together. */
  async function stored(id: string) {
    const [program, logo] = [await findProgram(table, id), await findLogo(table, id)];
    expect(program?.logoVersion).toBe(logo?.version ?? null);
    return logo && Buffer.from(logo.bytes);
  }

  test('an upload whose response is lost is not made again on top of a later one', async () => {
    const { program, token } = await aMerchant();
    const meanwhile = () => send(upload(token, JPEG));
    proxied.proxy.next('TransactWriteItems', { meanwhile });
    expect((await sendToHandlers(proxied.faulty)(upload(token, PNG))).status).toBe(200);
    expect(await stored(program.id)).toEqual(JPEG);
  });

  test('a deletion whose response is lost succeeds, and keeps a later upload', async () => {
    const { program, token } = await aMerchant();
    await send(upload(token, PNG));
    proxied.proxy.next('TransactWriteItems', { meanwhile: () => send(upload(token, WEBP)) });
    expect((await sendToHandlers(proxied.faulty)({ operation: 'deleteLogo', token })).status).toBe(204);
    expect(await stored(program.id)).toEqual(WEBP);
  });

  test('two simultaneous uploads leave the picture and the version of one of them, and other fields as they are', async () => {
    const { program, token } = await aMerchant();
    beforeNext(table, 'TransactWriteItemsCommand', async () => {
      await send(upload(token, JPEG));
      await send({ operation: 'updateProgram', token, body: { accent: '#0B6E4F' } });
    });
    expect((await send(upload(token, PNG))).status).toBe(200);
    expect(await stored(program.id)).toEqual(PNG);
    expect((await findProgram(table, program.id))?.accent).toBe('#0b6e4f');
  });

  test('an upload during a deletion leaves the picture or none, never a version without a picture', async () => {
    const { program, token } = await aMerchant();
    await send(upload(token, PNG));
    beforeNext(table, 'TransactWriteItemsCommand', () => send({ operation: 'deleteLogo', token }));
    expect((await send(upload(token, JPEG))).status).toBe(200);
    expect(await stored(program.id)).toEqual(JPEG);
  });
});

const RESOURCES = [
  { title: 'Banner', text: null, url: 'https://shop.example/banner.png?size=1' },
  { title: 'A post', text: 'Try it.\nI like it 👩‍🔬.', url: 'http://shop.example/' },
  { title: 'Only a title', text: null, url: null },
];

describe.each(DRIVERS)('the resources through %s', (_, connect) => {
  const send = connect(table);
  const put = (token: string, resources: unknown) => send({ operation: 'putResources', token, body: { resources } });

  test('the merchant and its advocates get the list in its order, without fields that are empty', async () => {
    const { program, token } = await aMerchant();
    const affiliate = await aToken(table, program, await anAdvocate(table, program));
    const lists = async () => {
      const responses = [
        await send({ operation: 'getResources', token }),
        await send({ operation: 'getOwnResources', token: affiliate }),
      ];
      return responses.map(({ status, json }) => [status, json]);
    };
    const answer = (resources: unknown) => [
      200,
      { data: { id: program.id, type: 'resources', attributes: { resources } } },
    ];
    expect(await lists()).toEqual([answer([]), answer([])]);
    const sent = [
      RESOURCES[0],
      { ...RESOURCES[1], text: 'Try it.\r\nI like it 👩‍🔬.' },
      { title: 'Only a title', text: '', url: null },
    ];
    const { status, json } = await put(token, sent);
    expect([status, json]).toEqual(answer(RESOURCES));
    expect(await lists()).toEqual([answer(RESOURCES), answer(RESOURCES)]);
    await expectUnchanged(table, async () => expect((await put(token, sent)).json).toEqual(json));
    expect([(await put(token, [])).status, await lists()]).toEqual([200, [answer([]), answer([])]]);
  });

  test('20 resources with long texts are stored', async () => {
    const { program, token } = await aMerchant();
    const resources = Array.from({ length: 20 }, (__, index) => {
      return { title: `${index}`.padEnd(200, 'x'), text: 'ä'.repeat(1900), url: null };
    });
    expect((await put(token, resources)).status).toBe(200);
    expect(await readResources(table, program.id)).toEqual(resources);
  });

  test.each([
    ['resources', null],
    ['resources', 'Banner'],
    ['resources', Array.from({ length: 21 }, () => ({ title: 'x' }))],
    ['resources.0.title', [{ text: 'x' }]],
    ['resources.0.title', [{ title: '' }]],
    ['resources.0.title', ['Banner']],
    ['resources.1.title', [{ title: 'x' }, { title: 'a\nb' }]],
    ['resources.0.text', [{ title: 'x', text: 'x'.repeat(2001) }]],
    ['resources.0.text', [{ title: 'x', text: 'a\u202eb' }]],
    ['resources.0.url', [{ title: 'x', url: 'javascript:alert(1)' }]],
    ['resources.0.url', [{ title: 'x', url: 'data:text/html,x' }]],
    ['resources.0.url', [{ title: 'x', url: 'https://me:secret@shop.example/' }]],
    ['resources.0.url', [{ title: 'x', url: '/relative' }]],
    ['resources.0.url', [{ title: 'x', url: 7 }]],
  ])('an invalid %s, %j, changes nothing', async (field, resources) => {
    const { token } = await aMerchant();
    await put(token, RESOURCES);
    await expectUnchanged(table, async () => {
      const [status, code, error] = outcomeOf(await put(token, resources));
      expect([status, code]).toEqual([400, 'invalid_field']);
      expect(String(error).split(' ')[0]).toBe(field);
    });
  });
});

describe('the resources under stress', () => {
  const send = sendToHandlers(table);
  const put = (token: string, title: string) =>
    ({ operation: 'putResources', token, body: { resources: [{ title }] } }) as const;
  const titles = async (id: string) => (await readResources(table, id)).map(({ title }) => title);

  test('a list whose response is lost is stored once', async () => {
    const { program, token } = await aMerchant();
    proxied.proxy.next('TransactWriteItems', 'lose');
    expect((await sendToHandlers(proxied.faulty)(put(token, 'A'))).status).toBe(200);
    expect(await titles(program.id)).toEqual(['A']);
  });

  test('of two lists that are sent simultaneously, one is stored as a whole', async () => {
    const { program, token } = await aMerchant();
    await send(put(token, 'A'));
    beforeNext(table, 'TransactWriteItemsCommand', () => send(put(token, 'B')));
    expect((await send(put(token, 'C'))).status).toBe(200);
    expect(await titles(program.id)).toEqual(['C']);
  });
});
