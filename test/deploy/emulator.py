"""Starts ministack, an emulator of AWS, in a network namespace of its own, and repairs eleven of its faults."""

import fcntl
import json
import re
import socket
import struct
import sys
from email.utils import parseaddr

from ministack import app
from ministack.core import iam_actions, responses
from ministack.services import apigateway, eventbridge, lambda_svc, ses_v2
from ministack.services.cloudformation import provisioners


def wrap(module, name, around):
    original = getattr(module, name)
    setattr(module, name, lambda *args, **named: around(original, *args, **named))


def alarm(original, name, props):
    """Alarms on expressions are refused. Stores the first metric."""
    stats = [query["MetricStat"] for query in props.get("Metrics", []) if "MetricStat" in query]
    first = {**stats[0]["Metric"], "Period": stats[0]["Period"], "Statistic": stats[0]["Stat"]} if stats else {}
    return original(name, {**props, "Metrics": None, **first})


def action(original, *request):
    """IAM has sqs:SendMessage, but no sqs:SendMessageBatch."""
    found = original(*request)
    return found.removesuffix("Batch") if found and found.startswith("sqs:") else found


def resource(original, service, method, path, headers, body, params, region, account):
    """The resource of GetParametersByPath is the path instead of *, and of DeleteParameters the first name.

    A reference to a secret is its name instead of its ARN, in policies too.
    """
    found = original(service, method, path, headers, body, params, region, account)
    if service == "secretsmanager":
        return found.partition(":secret:")[2][:-7] or found
    request = json.loads(body or b"{}") if service == "ssm" and found == "*" else {}
    parameters = request.get("Path") or next(iter(request.get("Names", [])), None)
    return f"arn:aws:ssm:{region}:{account}:parameter{parameters}" if parameters else found


def cors(original, settings, origin):
    """CloudFormation's settings begin with capital letters, which the API does not recognize."""
    return original({name[0].lower() + name[1:]: value for name, value in (settings or {}).items()}, origin)


def rule_tags(original, arn, *tags):
    """A rule on a bus with slashes in its name cannot be tagged."""
    if arn.count("/") <= 2:
        original(arn, *tags)


def table(original, physical_id, old, new, stack):
    """An update of a GlobalTable without a name of its own replaces it, and loses its items."""
    return original(physical_id, old, {"TableName": physical_id, **new}, stack)


def context(original, body):
    """The condition key dynamodb:LeadingKeys is not known. Adds it for requests about items, and queries of the table."""
    request = json.loads(body or b"{}")
    writes = [write for item in request.get("TransactItems", []) for write in item.values()]
    items = [one.get("Key") or one.get("Item") for one in [request, *writes]]
    keys = [item["pk"]["S"] for item in items if item]
    query = re.match(r"pk = (:\w+)", request.get("KeyConditionExpression", ""))
    if query:
        keys.append(request["ExpressionAttributeValues"][query[1]]["S"])
    return {**original(body), **({"dynamodb:LeadingKeys": keys} if keys else {})}


def partner_events(original, data):
    """Events of a partner get lost. Puts them on the partner's bus."""
    entries = [{**entry, "EventBusName": entry["Source"]} for entry in data["Entries"]]
    return eventbridge._put_events({"Entries": entries}, allow_aws_source=True)


def window(original, function, event, *rest, **named):
    """An event source mapping with a tumbling window passes records without their shard. The emulator has one."""
    records = event.get("Records") if isinstance(event, dict) else None
    if records and records[0].get("eventSource") == "aws:dynamodb":
        event = {**event, "shardId": "shardId-00000000000000000000-00000000", "state": {}}
    return original(function, event, *rest, **named)


def send_email(original, method, path, headers, body, params, request):
    """The resource of SendEmail is *, without the condition key ses:FromAddress.

    AWS asks for the identity of the address, or else of its domain.
    """
    if not path.endswith("/outbound-emails"):
        return original(method, path, headers, body, params, request)
    sender = parseaddr(json.loads(body)["FromEmailAddress"])[1]
    identity = sender if sender in ses_v2._identities else sender.partition("@")[2]
    region, account = app.extract_region(headers, params), responses.get_account_id()
    arn = f"arn:aws:ses:{region}:{account}:identity/{identity}"
    context = {"ses:FromAddress": sender}
    return app._enforce_data_plane("sesv2", "ses:SendEmail", headers, params, request, arn, context)


def add_address(address):
    """Gives the loopback interface an address that webhooks may have."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        up = struct.pack("16sH14x", b"lo", 0x1)
        fcntl.ioctl(any_socket, 0x8914, up)  # SIOCSIFFLAGS
        alias = struct.pack("16sHH4s8x", b"lo:0", socket.AF_INET, 0, socket.inet_aton(address))
        fcntl.ioctl(any_socket, 0x8916, alias)  # SIOCSIFADDR


wrap(provisioners, "_cw_metric_alarm_record", alarm)
wrap(provisioners, "_eb_rule_apply_tags", rule_tags)
wrap(provisioners, "_ddb_update", table)
wrap(iam_actions, "extract_iam_action", action)
wrap(iam_actions, "extract_resource_arn", resource)
wrap(iam_actions, "dynamodb_service_context", context)
wrap(app, "_enforce_ses_v2", send_email)
wrap(eventbridge, "_put_partner_events", partner_events)
wrap(lambda_svc, "_execute_function", window)
wrap(apigateway, "_cors_response_headers", cors)
wrap(apigateway, "_cors_preflight_response", cors)
add_address(sys.argv.pop())
app.main()
