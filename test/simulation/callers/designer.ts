import { isDeepStrictEqual } from 'node:util';
import { parseLogo } from '../../../functions/program/rules/logo.ts';
import type { Shop } from '../shops.ts';
import { at, type CallerContext, isExpected, shopOf, untilFinal } from './caller.ts';

/** Pictures of each type and of different sizes, in base64. */
const PICTURES = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'RIFF\0\0\0\0WEBP'].flatMap((start) =>
  [1, 2000].map((size) => Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(size)]).toString('base64')),
);
/** The types of the pictures by their versions. */
export const TYPES: ReadonlyMap<string, string> = new Map(
  PICTURES.map((picture) => parseLogo('image', picture)).map(({ version, mediaType }) => [version, mediaType]),
);
/** Lists in which each resource has the number of all. */
const LISTS = [0, 1, 3, 20].map((length) =>
  Array.from({ length }, () => ({ title: `One of ${length}`, text: 'Read this.\nThen that.', url: null })),
);

type Task = (context: CallerContext, shop: Shop) => Promise<unknown>;

/** A merchant who changes the logo and what the advocates share, several times simultaneously, and looks at both. */
export async function design(context: CallerContext): Promise<void> {
  const { chance } = context.world;
  const shop = shopOf(context);
  const tasks = Array.from({ length: 1 + chance.below(3) }, () => chance.pick<Task>([upload, upload, remove, share]));
  await Promise.all([...tasks, look].map((task) => task(context, shop)));
}

const upload: Task = async (context, shop) => {
  const image = context.world.chance.pick(PICTURES);
  const request = at(shop, 'putLogo', {}, { image });
  const answer = await untilFinal(context, request);
  if (!isExpected(context, request, answer, [200])) return;
  const { version } = parseLogo('image', image);
  if (JSON.parse(answer.body).data.attributes.logo_version !== version)
    context.knowledge.report('uploads', `The picture ${version} became ${answer.body}`);
};

const remove: Task = async (context, shop) => {
  const request = at(shop, 'deleteLogo', {});
  isExpected(context, request, await untilFinal(context, request), [204]);
};

const share: Task = async (context, shop) => {
  const request = at(shop, 'putResources', {}, { resources: context.world.chance.pick(LISTS) });
  isExpected(context, request, await untilFinal(context, request), [200]);
};

const look: Task = async (context, shop) => {
  const { knowledge } = context;
  const picture = at(shop, 'getLogo', { pk: shop.program.publicKey });
  const shown = await untilFinal(context, picture);
  const isUploaded = PICTURES.includes(shown.body) && parseLogo('image', shown.body).mediaType === typeOf(shown);
  if (isExpected(context, picture, shown, [200, 404]) && shown.status === 200 && !isUploaded)
    knowledge.report('uploads', `A logo of the type ${typeOf(shown)} was never uploaded`);
  const list = { ...at(shop, 'getOwnResources', {}), token: shop.affiliateTokens[0] };
  const listed = await untilFinal(context, list);
  if (!isExpected(context, list, listed, [200])) return;
  const { resources } = JSON.parse(listed.body).data.attributes;
  if (!LISTS.some((sent) => isDeepStrictEqual(sent, resources)))
    knowledge.report('uploads', `A list of ${resources.length} resources was never sent`);
};

const typeOf = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) => headers['content-type'];
