//! Channels.
use crate::{lines, say, Result};
use std::thread::sleep;
use std::time::Duration;
use tensordict::{Channel, ChannelMode, ChannelOptions, Dict, Draft, Dtype, Message, Role, Tensor};

const PAYLOAD: usize = 4096; // enough that a message is not written at once

pub fn run(words: &[&str]) -> Option<Result<()>> {
    Some(match *words {
        ["produce", name, mode, n, consumers] => produce(name, mode, n, consumers),
        ["join", name, first, n] => join(name, first, n),
        ["flood", name] => flood(name),
        ["half", name, n] => half(name, n),
        ["host", name, mode] => create(name, mode, Role::Consumes).and_then(|channel| take(&channel)),
        ["consume", name] => open(name, Role::Consumes).and_then(|channel| take(&channel)),
        ["hold", name] => hold(name),
        _ => return None,
    })
}

fn create(name: &str, mode: &str, role: Role) -> Result<Channel> {
    let mut schema = Dict::new(&[])?;
    schema.set("id", &Tensor::scalar(0i64)?)?;
    schema.set("x", &Tensor::zeros(&[PAYLOAD as i64], Dtype::Float32)?)?;
    let mode = if mode == "broadcast" { ChannelMode::Broadcast } else { ChannelMode::Queue };
    Ok(Channel::create_with(name, &schema, ChannelOptions { mode, role, slots: 4, ..ChannelOptions::default() })?)
}

fn open(name: &str, role: Role) -> Result<Channel> {
    Ok(Channel::open(name, role)?)
}

/// An acquired message with the first elements written.
fn written(channel: &Channel, id: i64, elements: usize) -> Result<Draft> {
    let mut draft = channel.acquire(None)?;
    {
        let td = draft.dict_mut()?;
        td.get("id")?.write(&[id])?;
        td.get("x")?.i(..elements as i64)?.write(&vec![id as f32; elements])?;
    }
    Ok(draft)
}

fn publish(channel: &Channel, id: i64) -> Result<()> {
    Ok(written(channel, id, PAYLOAD)?.publish()?)
}

fn produce(name: &str, mode: &str, n: &str, consumers: &str) -> Result<()> {
    let channel = create(name, mode, Role::Produces)?;
    say(channel.path())?;
    let consumers = consumers.parse()?;
    while channel.statistics()?.consumers < consumers {
        sleep(Duration::from_millis(1));
    }
    for id in 0..n.parse()? {
        publish(&channel, id)?;
    }
    channel.close()?;
    lines(|_| Ok(()))
}

fn join(name: &str, first: &str, n: &str) -> Result<()> {
    let channel = open(name, Role::Produces)?;
    let first: i64 = first.parse()?;
    for id in first..first + n.parse::<i64>()? {
        publish(&channel, id)?;
    }
    Ok(channel.close()?)
}

fn flood(name: &str) -> Result<()> {
    let channel = open(name, Role::Produces)?;
    for id in 0.. {
        publish(&channel, id)?;
    }
    Ok(())
}

fn half(name: &str, n: &str) -> Result<()> {
    let channel = open(name, Role::Produces)?;
    let n = n.parse()?;
    for id in 0..n {
        publish(&channel, id)?;
    }
    let _unfinished = written(&channel, n, PAYLOAD / 2)?;
    until_killed("half")
}

/// The test kills the process before the end of stdin.
fn until_killed(said: impl std::fmt::Display) -> Result<()> {
    say(said)?;
    lines(|_| Ok(()))?;
    Err("still alive".into())
}

/// All elements of a message must have come from the same write.
fn read(message: &Message) -> Result<i64> {
    let td = message.dict()?;
    let id = td.get("id")?.view::<i64>()?.get(0);
    let whole = td.get("x")?.view::<f32>()?.iter().all(|element| element == id as f32);
    whole.then_some(id).ok_or_else(|| "a torn message".into())
}

fn take(channel: &Channel) -> Result<()> {
    say("ready")?;
    for message in channel {
        say(read(&message?)?)?;
    }
    Ok(())
}

fn hold(name: &str) -> Result<()> {
    let channel = open(name, Role::Consumes)?;
    let held = channel.take(None)?;
    until_killed(read(&held)?)
}
